"""engram-search: its pipeline of vectors and BM25 over the messages, without the cross-encoder."""
import json
import sys
from pathlib import Path
from urllib.request import Request, urlopen

import numpy

_, url = sys.argv[1:]
sys.path.insert(0, str(Path(__file__).parent.parent))

from engram.backends.base import Document  # noqa: E402
from engram.retrieval.pipeline import RetrievalPipeline  # noqa: E402
from serve import serve  # noqa: E402


class Embedder:
    def encode_documents(self, texts):
        body = json.dumps({"input": texts}).encode()
        with urlopen(Request(url, data=body)) as response:
            return [numpy.array(row["embedding"]) for row in json.load(response)["data"]]

    def encode_query(self, text):
        return self.encode_documents([text])[0]


class Store:
    def __init__(self, _name):
        self.pipeline = RetrievalPipeline(embedder=Embedder(), use_reranker=False)
        self.documents = []

    def add(self, messages):
        vectors = self.pipeline.embedder.encode_documents([m["text"] for m in messages])
        for message, vector in zip(messages, vectors):
            self.documents.append(Document(id=message["id"], text=message["text"], embedding=vector))

    def search(self, question, limit):
        return [document.id for document in self.pipeline.search(question, self.documents, top_k=limit)]


serve(Store)
