curl -s "$PROXY_URL/v1/messages" -H "x-api-key: $SHOP_API_KEY" \
  -H "anthropic-version: 2023-06-01" -H "Content-Type: application/json" -d @- <<JSON
{"model": "$MODEL", "max_tokens": 100, "messages": [{"role": "user", "content": "Say hello."}]}
JSON
