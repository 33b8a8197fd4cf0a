import json
import os
import time
import urllib.error
import urllib.request
import uuid

# Yours: store it before you send. The same order, sent again, is charged once.
order = {"externalOrderId": str(uuid.uuid4()), "productId": os.environ["PRODUCT_ID"], "qty": 1}
print("Buying as", order["externalOrderId"])

for attempt in range(1, 6):
    request = urllib.request.Request(
        os.environ["SHOP_URL"] + "/orders",
        data=json.dumps(order).encode(),
        headers={
            "Authorization": "Bearer " + os.environ["SHOP_API_KEY"],
            "Content-Type": "application/json",
        },
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            delivered = json.load(response)
        for code in delivered["codes"]:
            print("Redeem", code, "at", delivered["redeemUrl"])
        break
    except urllib.error.HTTPError as error:
        if error.code < 500:  # Refused: the answer says why.
            raise SystemExit(error.read().decode())
    except OSError:
        pass  # No answer: it may have been bought.
    time.sleep(2**attempt)  # Then the same order is sent again, never a new one.
