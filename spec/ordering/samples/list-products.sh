curl -s "$SHOP_URL/products" -H "Authorization: Bearer $SHOP_API_KEY"
