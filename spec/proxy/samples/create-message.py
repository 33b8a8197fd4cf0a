import json
import os
import urllib.request

request = urllib.request.Request(
    os.environ["PROXY_URL"] + "/v1/messages",
    data=json.dumps(
        {
            "model": os.environ["MODEL"],
            "max_tokens": 100,
            "messages": [{"role": "user", "content": "Say hello."}],
        }
    ).encode(),
    headers={
        "x-api-key": os.environ["SHOP_API_KEY"],
        "anthropic-version": "2023-06-01",
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request, timeout=120) as response:
    message = json.load(response)

for block in message["content"]:
    if block["type"] == "text":
        print(block["text"])
print(message["usage"]["input_tokens"], "tokens in,", message["usage"]["output_tokens"], "out")
