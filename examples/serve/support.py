# A support agent in Python: Incipit compiles each request, Anthropic's API answers it. Standard library only.
import json
import os
import urllib.request

INCIPIT = os.environ.get("INCIPIT_URL", "http://127.0.0.1:4747")
ANTHROPIC = os.environ.get("ANTHROPIC_BASE_URL", "https://api.anthropic.com")


def post(url, body, headers):
    headers = {"content-type": "application/json", **headers}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def compile_prompt(**turn):
    body = {
        "sections": [
            {"id": "rules", "text": "You answer for a shipyard. Be brief.", "priority": "required"},
            {"id": "customer", "text": "Ada, three orders.", "pace": "session", "trust": "familiar"},
            {"id": "queue", "text": "Two people are waiting.", "pace": "turn"},
        ],
        "tools": [{"name": "find_order", "description": "Says where an order is."}],
        "audience": {"trust": "familiar"},
        "target": {"format": "anthropic", "model": "claude-sonnet-5-5", "maxTokens": 500},
        **turn,
    }
    token = {"authorization": "Bearer " + os.environ["INCIPIT_TOKEN"]}
    return post(INCIPIT + "/api/compile", body, token)


def ask(request):
    key = {"x-api-key": os.environ["ANTHROPIC_API_KEY"], "anthropic-version": "2023-06-01"}
    return post(ANTHROPIC + "/v1/messages", request, key)


def say(message, chat):
    step = {"message": message, **({"chat": chat} if chat else {})}
    while True:
        made = compile_prompt(**step)
        answer = ask(made["request"])
        done = compile_prompt(chat=made["chat"], output=answer["content"])
        if not done["calls"]:
            cached = answer["usage"]["cache_read_input_tokens"]
            print(answer["content"][0]["text"], f"({cached} tokens from the cache)")
            return done["chat"]
        results = [{"id": call["id"], "output": "It left on Monday."} for call in done["calls"]]
        step = {"chat": done["chat"], "results": results}


chat = say("Where is my order A17?", None)
say("Thank you. Anything else?", chat)
