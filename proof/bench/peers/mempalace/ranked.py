"""MemPalace: each message is filed as an exchange; searched by meaning and words."""
import os
import sys
from pathlib import Path

directory, url = sys.argv[1:]
os.environ.update(
    MEMPALACE_CONFIG_DIR=directory,
    MEMPALACE_EMBEDDING_MODEL="openai-compat",
    MEMPALACE_EMBEDDING_API_URL=url,
    MEMPALACE_EMBEDDING_API_MODEL="engram",
    ANONYMIZED_TELEMETRY="false",
)
sys.path.insert(0, str(Path(__file__).parent.parent))

from mempalace.convo_miner import file_conversation_exchange  # noqa: E402
from mempalace.palace import get_collection  # noqa: E402
from mempalace.searcher import search_memories  # noqa: E402
from serve import serve  # noqa: E402


class Store:
    def __init__(self, name):
        self.path = str(Path(directory) / name)
        os.makedirs(self.path)
        self.collection = get_collection(self.path)
        self.ids = {}

    def add(self, messages):
        for message in messages:
            # Results of one file count once, so each message is a file.
            file = f"{len(self.ids)}.txt"
            self.ids[file] = message["id"]
            file_conversation_exchange(
                self.collection, wing="bench", room="chat", text=message["text"], source_file=file, agent="bench"
            )

    def search(self, question, limit):
        answer = search_memories(question, self.path, n_results=limit, candidate_strategy="union")
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return [self.ids[hit["source_path"]] for hit in answer["results"]]


serve(Store)
