# externalOrderId is yours. Sent again, the same order gives the same code and is charged once.
curl -s "$SHOP_URL/orders" -H "Authorization: Bearer $SHOP_API_KEY" \
  -H "Content-Type: application/json" -d @- <<JSON
{"externalOrderId": "my-purchase-0001", "productId": "$PRODUCT_ID", "qty": 1}
JSON
