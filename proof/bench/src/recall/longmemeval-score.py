"""Score the rankings of `bench:recall` with LongMemEval's own functions.

    PYTHONPATH=LongMemEval python3 longmemeval-score.py longmemeval.run.jsonl
"""
import json
import sys

import numpy

# LongMemEval calls a function that NumPy 2 does not have.
numpy.asfarray = lambda values: numpy.asarray(values, dtype=float)
from src.retrieval.eval_utils import evaluate_retrieval, evaluate_retrieval_turn2session  # noqa: E402

with open(sys.argv[1]) as file:
    questions = [json.loads(line) for line in file]
for level, evaluate in [("turn", evaluate_retrieval), ("session", evaluate_retrieval_turn2session)]:
    for k in [1, 5, 10]:
        scores = [evaluate(q["rankings"], q["correct_docs"], q["corpus_ids"], k) for q in questions]
        names = ["recall_any", "recall_all", "ndcg_any"]
        means = [f"{name}@{k} {mean:.4f}" for name, mean in zip(names, numpy.mean(scores, axis=0))]
        print(level, len(questions), *means, sep="\t")
