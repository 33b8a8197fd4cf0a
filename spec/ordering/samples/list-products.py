import json
import os
import urllib.request

request = urllib.request.Request(
    os.environ["SHOP_URL"] + "/products",
    headers={"Authorization": "Bearer " + os.environ["SHOP_API_KEY"]},
)
with urllib.request.urlopen(request, timeout=30) as response:
    products = json.load(response)["products"]

for product in products:
    stock = "in stock" if product["inStock"] else "not in stock"
    print(f"{product['id']}: {product['name']}, {product['price']} USD, {stock}")
