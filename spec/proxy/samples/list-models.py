import json
import os
import urllib.request

request = urllib.request.Request(
    os.environ["PROXY_URL"] + "/v1/models",
    headers={"x-api-key": os.environ["SHOP_API_KEY"]},
)
with urllib.request.urlopen(request, timeout=30) as response:
    models = json.load(response)["data"]

for model in models:
    print(model["id"])
