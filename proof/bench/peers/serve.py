"""Answers each line of JSON on the standard input with one: `open`, `add` or `search`."""
import json
import sys


def serve(open_store):
    # What libraries print must not mix with the answers.
    answers, sys.stdout = sys.stdout, sys.stderr
    store = None
    for line in sys.stdin:
        call = json.loads(line)
        answer = None
        if "open" in call:
            store = open_store(call["open"])
        elif "add" in call:
            store.add(call["add"])
        else:
            answer = store.search(call["search"], call["limit"])
        print(json.dumps(answer), file=answers, flush=True)
