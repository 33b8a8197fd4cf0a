curl -s "$PROXY_URL/v1/models" -H "x-api-key: $SHOP_API_KEY"
