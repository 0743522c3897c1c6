// Writes ONNX files, as far as the tests' model needs: ModelProto of onnx.proto in protobuf's wire format.

const FLOAT = 1;
const INT64 = 7;
/** AttributeProto.type. */
const ATTRIBUTE_INT = 2;
const IR_VERSION = 8;
const OPSET = 17;

type Elements = { type: "float"; values: number[] } | { type: "int64"; values: number[] };
type Tensor = Elements & { name: string; dims: number[] };

interface Node {
  operator: string;
  inputs: string[];
  output: string;
  attributes?: Record<string, number>;
}

/** What goes in or comes out; a dimension with a name is of any size. */
interface Port {
  name: string;
  type: "float" | "int64";
  dims: (string | number)[];
}

export interface Graph {
  inputs: Port[];
  outputs: Port[];
  constants: Tensor[];
  nodes: Node[];
}

/** The bytes of an .onnx file. */
export function encodeOnnx(graph: Graph): Buffer {
  const encoded = Buffer.concat([
    ...graph.nodes.map((node) => message(1, encodeNode(node))),
    text(2, "graph"),
    ...graph.constants.map((tensor) => message(5, encodeTensor(tensor))),
    ...graph.inputs.map((port) => message(11, encodePort(port))),
    ...graph.outputs.map((port) => message(12, encodePort(port))),
  ]);
  const opset = Buffer.concat([text(1, ""), integer(2, OPSET)]);
  return Buffer.concat([integer(1, IR_VERSION), message(7, encoded), message(8, opset)]);
}

function encodeNode({ operator, inputs, output, attributes = {} }: Node): Buffer {
  const encoded = Object.entries(attributes).map(([name, value]) =>
    message(5, Buffer.concat([text(1, name), integer(3, value), integer(20, ATTRIBUTE_INT)])),
  );
  return Buffer.concat([
    ...inputs.map((input) => text(1, input)),
    text(2, output),
    text(3, output),
    text(4, operator),
    ...encoded,
  ]);
}

function encodeTensor({ name, dims, type, values }: Tensor): Buffer {
  const raw =
    type === "float" ? Float32Array.from(values).buffer : BigInt64Array.from(values.map(BigInt)).buffer;
  return Buffer.concat([
    ...dims.map((dim) => integer(1, dim)),
    integer(2, type === "float" ? FLOAT : INT64),
    text(8, name),
    message(9, Buffer.from(raw)),
  ]);
}

function encodePort({ name, type, dims }: Port): Buffer {
  const shape = dims.map((dim) => message(1, typeof dim === "string" ? text(2, dim) : integer(1, dim)));
  const tensor = Buffer.concat([
    integer(1, type === "float" ? FLOAT : INT64),
    message(2, Buffer.concat(shape)),
  ]);
  return Buffer.concat([text(1, name), message(2, message(1, tensor))]);
}

function integer(field: number, value: number): Buffer {
  return Buffer.concat([varint(BigInt(field << 3)), varint(BigInt.asUintN(64, BigInt(value)))]);
}

function text(field: number, value: string): Buffer {
  return message(field, Buffer.from(value));
}

function message(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint(BigInt((field << 3) | 2)), varint(BigInt(bytes.length)), bytes]);
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  for (let rest = value; rest > 0n || bytes.length === 0; rest >>= 7n) {
    bytes.push(Number(rest & 127n) | (rest > 127n ? 128 : 0));
  }
  return Buffer.from(bytes);
}
