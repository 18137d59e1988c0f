"""Weights -> ONNX graph of the encoder. Pure.

BERT with post-normalisation: attention, add and norm, exact GELU, add and norm, twelve times, then
the mean over the tokens of a text. The graph starts behind the word table: its input is the sum of
word, position and type vectors, since 54 of the 71 MB are words and a text needs a few rows of
them. Matrices are written as onnxruntime's fused operators, which it would otherwise look for at
every load.
"""

import numpy as np
from numpy.typing import NDArray
from onnx import NodeProto, TensorProto, helper, numpy_helper

from cytat.backends.e5.weights import BLOCK, MASK, POOLED, VECTORS, Blocks, Precision, WeightsFile

OPSET = 17
IR_VERSION = 8


class _Graph:
    """Collects nodes and constants; every method that adds a node returns its output's name."""

    def __init__(self, weights: WeightsFile, precision: Precision) -> None:
        self._weights = weights
        self._precision = precision
        self._shape = weights.shape
        self.nodes: list[NodeProto] = []
        self.constants: list[TensorProto] = []

    def constant(self, name: str, values: NDArray[np.generic]) -> str:
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def floats(self, *names: str) -> str:
        """Keep the named vectors, joined, under the first name."""
        return self.constant(names[0], np.concatenate([self._weights.floats(n) for n in names]))

    def node(self, operator: str, inputs: list[str], output: str, **attributes: float) -> str:
        domain = "com.microsoft" if operator in _FUSED else ""
        made = helper.make_node(operator, inputs, [output], domain=domain)
        made.attribute.extend(helper.make_attribute(*item) for item in attributes.items())
        self.nodes.append(made)
        return output

    def product(self, vectors: str, *names: str, columns: int) -> str:
        """Multiply by the named matrices, one below the other."""
        parts = [self._weights.blocks(name, columns=columns) for name in names]
        blocks = Blocks(
            np.concatenate([part.scales for part in parts]),
            np.concatenate([part.nibbles for part in parts]),
        )
        output = f"{names[0]}.product"
        if self._precision is Precision.FLOAT:
            matrix = self.constant(names[0], blocks.dense().T)
            return self.node("MatMul", [vectors, matrix], output)
        return self._block_product(vectors, names[0], blocks, output)

    def _block_product(self, vectors: str, name: str, blocks: Blocks, output: str) -> str:
        rows, per_row = blocks.scales.shape
        nibbles = self.constant(name, _interleaved(blocks.nibbles))
        scales = self.constant(f"{name}.scales", blocks.scales.astype(np.float32).reshape(-1))
        return self.node(
            "MatMulNBits",
            [vectors, nibbles, scales],
            output,
            K=per_row * BLOCK,
            N=rows,
            bits=4,
            block_size=BLOCK,
            accuracy_level=4 if self._precision is Precision.BLOCKS_INT8 else 1,
        )

    def add_and_norm(self, vectors: str, addend: str, *, bias: str, norm: str) -> str:
        inputs = [addend, vectors, *map(self.floats, (f"{norm}.w", f"{norm}.b", bias))]
        epsilon = self._shape.epsilon
        return self.node("SkipLayerNormalization", inputs, f"{norm}.out", epsilon=epsilon)

    def attention(self, vectors: str, layer: str) -> str:
        hidden = self._shape.hidden
        joined = self.product(vectors, *(f"{layer}.{x}.w" for x in "qkv"), columns=hidden)
        parts = [f"{layer}.{x}" for x in "qkv"]
        self.nodes.append(helper.make_node("Split", [joined, "thirds"], parts, axis=-1))
        bias = self.floats(*(f"{layer}.{x}.b" for x in "qkv"))
        return self.node(
            "MultiHeadAttention",
            [*parts, bias, MASK],
            f"{layer}.attention",
            num_heads=self._shape.heads,
        )

    def layer(self, vectors: str, layer: str) -> str:
        hidden, inner = self._shape.hidden, self._shape.inner
        found = self.product(self.attention(vectors, layer), f"{layer}.ao.w", columns=hidden)
        vectors = self.add_and_norm(vectors, found, bias=f"{layer}.ao.b", norm=f"{layer}.aln")
        wide = self.product(vectors, f"{layer}.fi.w", columns=hidden)
        wide = self.node("BiasGelu", [wide, self.floats(f"{layer}.fi.b")], f"{layer}.gelu")
        narrow = self.product(wide, f"{layer}.fo.w", columns=inner)
        return self.add_and_norm(vectors, narrow, bias=f"{layer}.fo.b", norm=f"{layer}.oln")

    def mean(self, vectors: str) -> str:
        """Average over the tokens of each text; padding counts for nothing."""
        column = self.node("Unsqueeze", [MASK, self.constant("last", np.array([2]))], "column")
        weight = self.node("Cast", [column], "weight", to=1)
        weighted = self.node("Mul", [vectors, weight], "weighted")
        tokens = self.constant("tokens", np.array([1]))
        total = self.node("ReduceSum", [weighted, tokens], "total", keepdims=0)
        count = self.node("ReduceSum", [weight, tokens], "count", keepdims=0)
        return self.node("Div", [total, count], POOLED)


_FUSED = frozenset({"MatMulNBits", "MultiHeadAttention", "SkipLayerNormalization", "BiasGelu"})
"""Operators of onnxruntime's own domain."""


def _interleaved(nibbles: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return blocks whose byte j holds weights 2j and 2j + 1, as MatMulNBits wants them."""
    flat = np.concatenate([nibbles & 0x0F, nibbles >> 4], axis=-1)
    return np.asarray(flat[..., 0::2] | (flat[..., 1::2] << 4), np.uint8)


def build_graph(weights: WeightsFile, precision: Precision) -> bytes:
    """Return the encoder as a serialised ONNX model."""
    graph = _Graph(weights, precision)
    shape = weights.shape
    graph.constant("thirds", np.array([shape.hidden] * 3))
    norm = [VECTORS, graph.floats("emb.ln.w"), graph.floats("emb.ln.b")]
    vectors = graph.node("LayerNormalization", norm, "emb.out", axis=-1, epsilon=shape.epsilon)
    for number in range(shape.layers):
        vectors = graph.layer(vectors, f"l{number}")
    graph.mean(vectors)
    inputs = [
        helper.make_tensor_value_info(
            VECTORS, TensorProto.FLOAT, ["texts", "tokens", shape.hidden]
        ),
        helper.make_tensor_value_info(MASK, TensorProto.INT32, ["texts", "tokens"]),
    ]
    output = helper.make_tensor_value_info(POOLED, TensorProto.FLOAT, ["texts", shape.hidden])
    model = helper.make_model(
        helper.make_graph(graph.nodes, "e5-small", inputs, [output], graph.constants),
        opset_imports=[helper.make_opsetid("", OPSET), helper.make_opsetid("com.microsoft", 1)],
        ir_version=IR_VERSION,
        producer_name="cytat",
    )
    return bytes(model.SerializeToString())
