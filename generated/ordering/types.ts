// Generated from spec/ordering by "npm run generate". DO NOT EDIT.

export interface paths {
    "/pricing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the prices of all levels
         * @description The price of every enabled product at each of the five account levels, and the cumulative top-up that each
         *     level needs. Public: it needs no key.
         */
        get: operations["getPricing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the products at your price
         * @description The enabled products that are sold at the level of your account, with the final unit price, and that level.
         *     Needs the scope `shop:read`.
         *
         *     What an `on_demand` product can be had for is asked of its supplier and at most a few seconds old. A supplier
         *     that cannot be asked takes away only its own products: they stay in the list with `inStock` false and their
         *     `availabilityStatus` says why. The answer is 503 only when that is so for every product of the list.
         */
        get: operations["listProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/products/{id}/availability": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check a product and a quantity
         * @description Says whether the quantity could be bought at this moment, and at what unit price. The answer is no
         *     reservation and no guarantee: only an order takes codes. Needs the scope `shop:read`.
         *
         *     For an `on_demand` product its supplier is asked about the quantity; what it says is at most a few seconds old.
         *     When it does not answer, or the shop has to set it up again, the answer is 503.
         */
        get: operations["checkAvailability"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the balance and the level
         * @description The balance of the account, what is reserved for orders and AI calls that are being processed, what is
         *     available for the next order, and the account's level. The AI proxy spends from the same balance.
         *     Needs the scope `shop:read`.
         */
        get: operations["getBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your orders
         * @description The orders of the account, newest first, one page at a time. The list never holds codes: read them with
         *     `GET /orders/{id}`. To recover a purchase whose answer was lost, filter by `externalOrderId`; that it is
         *     missing means "not bought" only from 60 seconds after it was last sent.
         *     Needs the scope `shop:order`.
         */
        get: operations["listOrders"];
        put?: never;
        /**
         * Buy codes from the balance
         * @description Charges the balance and delivers the codes in the answer. The charge can be real money.
         *     Needs the scope `shop:order`, which only a `product_ordering` key has.
         *
         *     The call is idempotent on `externalOrderId`: store that id first, then send the order, and after any
         *     uncertain outcome send exactly the same order again. A repeated order that was delivered is answered with
         *     the same codes and `reused: true`, whatever the price, the stock, the caps and the balance are by then.
         *
         *     The first fault in this order decides the answer: 401 `unauthorized`, 429 `rate_limited`,
         *     403 `insufficient_scope`, 400 `bad_request` or `invalid_input`, the state of an order that already has this
         *     `externalOrderId` (200 replay, 409 `idempotency_conflict`, 503 `order_in_progress`), 404 `not_found`,
         *     409 `price_changed`, 403 `key_order_limit_exceeded`, 409 `out_of_stock` or, where the codes are bought on
         *     demand, what else stands against buying them (409 `supplier_price_changed`, 503 `supplier_not_configured`,
         *     503 `supplier_unavailable`), 402 `key_daily_limit_exceeded`, 402 `insufficient_balance`. An order that was
         *     refused before any amount was held leaves nothing behind: the same `externalOrderId` may be used again.
         *     While another attempt at the same order is at work, an order that would be refused gets 503
         *     `order_in_progress` instead.
         *
         *     Codes that are bought on demand are bought while the call waits, at most 25 seconds. The amount is reserved
         *     first, so the order exists from then on, and a fault at the supplier may leave it behind: `retryable` when
         *     it is confirmed that nothing was bought, `processing` when that is not certain. The descriptions of the 409
         *     and 503 answers say which can follow; `OrderStatus` says what each state means. In both states the same
         *     order is sent again with the same `externalOrderId`.
         */
        post: operations["createOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an order and its codes
         * @description One order of the account. A delivered order comes with its codes and the `redeemUrl`; any other has no codes.
         *     An order that does not exist and an order of another account are the same 404.
         *     Needs the scope `shop:order`.
         */
        get: operations["getOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The body of every error; each answer says which of the codes it can carry. */
        ApiError: {
            error: components["schemas"]["ErrorCode"];
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description Availability of a quantity of a product at the moment of the call. It reserves nothing and guarantees nothing. */
        Availability: {
            productId: components["schemas"]["ProductId"];
            /**
             * Format: int32
             * @description The quantity that was asked for.
             */
            qty: number;
            /** @description Whether the whole quantity could be bought at this moment. */
            available: boolean;
            unitPrice: components["schemas"]["DecimalMoney"];
            currency: components["schemas"]["Currency"];
            /** @description Where the codes come from; `null` when it is not stated. */
            stockMode: components["schemas"]["StockMode"] | null;
            availabilityStatus: components["schemas"]["AvailabilityStatus"];
            /** @description When codes are delivered; `instant` when they come with the answer to the order. */
            deliveryMode: string | null;
            checkedAt: components["schemas"]["UnixSeconds"];
        };
        /**
         * @description Whether the product can be fulfilled now. Today's values, to which others may be added:
         *     - `available`: it can be bought.
         *     - `out_of_stock`: no codes, or fewer than asked for; try again later.
         *     - `supplier_unavailable`: its supplier does not answer at the moment; try again later.
         *     - `unavailable`: it is not sold until the shop has done something about it, such as setting a new price because
         *       its supplier asks more than before.
         * @example available
         */
        AvailabilityStatus: string;
        /** @description Why the body is no order. */
        BadOrderRequestError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "invalid_input" | "bad_request";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /**
         * @description The prepaid balance. An order is checked against `available`, which is `balance` minus `reserved`.
         *     `balance` is rounded down and `reserved` up to four decimals, so that what is shown never overstates.
         */
        Balance: {
            balance: components["schemas"]["DecimalMoney"];
            reserved: components["schemas"]["DecimalMoney"];
            available: components["schemas"]["DecimalMoney"];
            currency: components["schemas"]["Currency"];
            level: components["schemas"]["LevelSummary"];
        };
        /**
         * @description Always `USD`.
         * @constant
         */
        Currency: "USD";
        /**
         * @description An amount in USD as a decimal string, never negative. Never compute with it in binary floating point.
         * @example 12.50
         * @example 0.0042
         */
        DecimalMoney: string;
        /**
         * @description The stable code to branch on.
         *
         *     | HTTP | Code | Condition | What to do |
         *     |---|---|---|---|
         *     | 400 | `invalid_input` | a path, query or body field, the quantity or the cursor is invalid | correct the request; do not send it again unchanged |
         *     | 400 | `bad_request` | the body is missing, too large, or not a JSON object sent as `application/json` | correct the request; do not send it again unchanged |
         *     | 401 | `unauthorized` | the key is missing, invalid, revoked or expired, or the account is not available | use a valid key |
         *     | 402 | `insufficient_balance` | the available balance is too low | top up, then send the order again with the same `externalOrderId` |
         *     | 402 | `key_daily_limit_exceeded` | the key's daily spend cap is reached | send it again after midnight UTC, or after the cap is raised |
         *     | 403 | `insufficient_scope` | the key lacks the scope that the operation needs | use a key of the right kind |
         *     | 403 | `key_order_limit_exceeded` | the amount is above the key's cap for a single order | lower `qty` or have the cap raised |
         *     | 404 | `not_found` | the product or order does not exist for this account | check the id |
         *     | 409 | `price_changed` | the current unit price differs from `expectedUnitPrice`; `details` holds both | read `GET /products`, confirm the new price, then order with a new `externalOrderId` and the new `expectedUnitPrice` |
         *     | 409 | `idempotency_conflict` | the `externalOrderId` was used with another product or quantity, or its order is closed (`details` says how) | check your records; a new purchase needs a new `externalOrderId` |
         *     | 409 | `out_of_stock` | the quantity cannot be fulfilled now | check availability again later; the same `externalOrderId` may be used |
         *     | 409 | `supplier_price_changed` | the supplier's cost passed the platform's guard | wait until the product is priced anew; the same `externalOrderId` may be used |
         *     | 429 | `rate_limited` | the account sends too many requests | wait `Retry-After` seconds, then back off exponentially |
         *     | 500 | `server_error` | an unexpected fault | an order: send it again with the same `externalOrderId` |
         *     | 503 | `supplier_unavailable` | a supplier does not answer at the moment, or what became of the purchase is not certain yet | send it again with the same `externalOrderId`, with backoff |
         *     | 503 | `supplier_not_configured` | a fault on the operator's side | do not loop; tell the operator |
         *     | 503 | `order_in_progress` | another attempt holds the order, or this one takes longer than a request may | wait `details.retryAfterSeconds`, then send it again with the same `externalOrderId` |
         *     | 503 | `order_commit_pending` | the result is being finalized | send it again with the same `externalOrderId` |
         * @enum {string}
         */
        ErrorCode: "invalid_input" | "bad_request" | "unauthorized" | "insufficient_balance" | "key_daily_limit_exceeded" | "insufficient_scope" | "key_order_limit_exceeded" | "not_found" | "price_changed" | "idempotency_conflict" | "out_of_stock" | "supplier_price_changed" | "rate_limited" | "server_error" | "supplier_unavailable" | "supplier_not_configured" | "order_in_progress" | "order_commit_pending";
        /**
         * @description Facts about the error, as any JSON value. These can be relied on; others only help to find the cause:
         *     - `price_changed`: `expectedUnitPrice` and `actualUnitPrice`.
         *     - `order_in_progress`: `retryAfterSeconds`, the same number as the header `Retry-After`.
         *     - `idempotency_conflict` with a closed order: `orderId`, `status` and `errorCode` of that order.
         */
        ErrorDetails: unknown;
        /** @description An explanation for people. Its text can change at any time; do not branch on it. */
        ErrorMessage: string;
        /**
         * @description Your own id of one purchase and its idempotency key: make it and store it before you send the order. It is
         *     unique in your account, compared byte for byte (`A`, `a` and `a ` are three ids), and never expires. It must
         *     not contain personal data.
         * @example purchase-2025-000731
         */
        ExternalOrderId: string;
        /** @description The key lacks the scope. */
        InsufficientScopeError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "insufficient_scope";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description A path or query value is invalid. */
        InvalidInputError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "invalid_input";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /**
         * Format: int32
         * @description An account level. A level is reached when the sum of all top-ups reaches its threshold, and is never lost:
         *
         *     | Level | Cumulative top-up |
         *     |---|---|
         *     | 1 | 0 USD |
         *     | 2 | 100 USD |
         *     | 3 | 500 USD |
         *     | 4 | 2000 USD |
         *     | 5 | 10000 USD |
         * @example 2
         */
        Level: number;
        /** @description A unit price in USD as a decimal string; `null` when the product is not sold at this level. */
        LevelPrice: string | null;
        /** @description The unit price in USD at each level; `null` where the product is not sold. */
        LevelPrices: {
            level1: components["schemas"]["LevelPrice"];
            level2: components["schemas"]["LevelPrice"];
            level3: components["schemas"]["LevelPrice"];
            level4: components["schemas"]["LevelPrice"];
            level5: components["schemas"]["LevelPrice"];
        };
        /**
         * @description The level of the account. It follows the cumulative top-up score: level 1 from 0 USD, 2 from 100, 3 from 500,
         *     4 from 2000, 5 from 10000. Only top-ups raise the score; purchases and AI usage never lower it.
         */
        LevelSummary: {
            level: components["schemas"]["Level"];
            /**
             * Format: int64
             * @description The sum of all top-ups, in microcents.
             */
            scoreMicrocents: number;
            score: components["schemas"]["DecimalMoney"];
            nextLevel: components["schemas"]["NextLevel"];
        };
        /** @description The next level and what it still needs; `null` at the highest level. */
        NextLevel: {
            /**
             * Format: int32
             * @description The next level.
             */
            level: number;
            /**
             * Format: int64
             * @description The score at which it is reached, in microcents.
             */
            thresholdMicrocents: number;
            /**
             * Format: int64
             * @description The top-up that is still missing, in microcents.
             */
            remainingMicrocents: number;
            remaining: components["schemas"]["DecimalMoney"];
        } | null;
        /** @description A purchase of `qty` codes of one product. */
        Order: {
            /** @description The order's id, issued by the service. */
            orderId: string;
            /** @description Your own id of the purchase, as you sent it. */
            externalOrderId: string;
            /** @description The product that was ordered. */
            productId: string;
            /** @description The product's name, to show to people. */
            productName: string;
            /**
             * Format: int32
             * @description How many codes were ordered.
             */
            qty: number;
            unitPrice: components["schemas"]["DecimalMoney"];
            amount: components["schemas"]["DecimalMoney"];
            currency: components["schemas"]["Currency"];
            status: components["schemas"]["OrderStatus"];
            /**
             * @description The codes: exactly `qty` of them on a delivered order that was just created, replayed or read by its id.
             *     Empty in a list and in every other state.
             */
            codes: string[];
            /**
             * Format: uri
             * @description Where the codes of this order are redeemed. Give it to the user with every code. It can change from order
             *     to order: never hard-code it. `null` on an order that was never delivered.
             */
            redeemUrl: string | null;
            /**
             * @description Why an order that is `retryable` or `failed` was not fulfilled: `out_of_stock`, `supplier_price_changed`,
             *     `supplier_not_configured` or `supplier_unavailable`, with the meanings of `ErrorCode`. Otherwise `null`.
             */
            errorCode: string | null;
            createdAt: components["schemas"]["UnixSeconds"];
            /**
             * Format: int64
             * @description When the codes were delivered, in whole seconds since 1970-01-01 UTC; `null` before that.
             */
            deliveredAt: number | null;
            /**
             * @description `true` when this is the answer to a repeated order that had been delivered before: nothing was charged
             *     again. `false` everywhere else.
             */
            reused: boolean;
        };
        /** @description What the order conflicts with. */
        OrderConflictError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "price_changed" | "idempotency_conflict" | "out_of_stock" | "supplier_price_changed";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description Why the key may not place the order. */
        OrderForbiddenError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "insufficient_scope" | "key_order_limit_exceeded";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description One page of orders, newest first. `codes` is always empty here. */
        OrderList: {
            /** @description The orders of this page. */
            orders: components["schemas"]["Order"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description The opaque `cursor` of the next page; `null` on the last one. */
            nextCursor: string | null;
        };
        /** @description There is no such order. */
        OrderNotFoundError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "not_found";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description Why the order cannot be paid. */
        OrderNotPayableError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "insufficient_balance" | "key_daily_limit_exceeded";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description Why the order has no result yet. */
        OrderPendingError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "supplier_unavailable" | "supplier_not_configured" | "order_in_progress" | "order_commit_pending";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description One purchase. Repeat it unchanged to retry it. */
        OrderRequest: {
            externalOrderId: components["schemas"]["ExternalOrderId"];
            productId: components["schemas"]["ProductId"];
            /**
             * Format: int32
             * @description How many codes to buy.
             */
            qty: number;
            /**
             * @description The unit price that you agreed to, with at most two decimals. When the current price differs, nothing is
             *     bought and the answer is 409 `price_changed`. Not looked at when a delivered order is replayed.
             */
            expectedUnitPrice?: string;
        };
        /**
         * @description | State | Meaning | What to do |
         *     |---|---|---|
         *     | `processing` | the codes are being bought, or what became of the purchase is still being confirmed; the amount is reserved | send the original order again |
         *     | `retryable` | confirmed that nothing was bought; nothing is reserved; `errorCode` says why | send the order again with the same `externalOrderId`; it is priced and checked afresh |
         *     | `delivered` | charged and delivered | read the codes here at any time |
         *     | `failed` | closed without a charge; `errorCode` says why | a new purchase needs a new `externalOrderId` |
         *     | `refunded` | closed, and the amount is back on the balance | a new purchase needs a new `externalOrderId` |
         *
         *     An order moves only along these lines:
         *
         *     | From | To | When |
         *     |---|---|---|
         *     | (none) | `delivered` | the product is sold from stock: charged and delivered at once |
         *     | (none) | `processing` | the product is bought on demand: the order is accepted and its amount reserved |
         *     | `processing` | `delivered` | charged, codes stored, reservation gone |
         *     | `processing` | `retryable` | confirmed that nothing was bought: reservation gone |
         *     | `processing` | `failed` | confirmed that nothing can be bought under this order any more: reservation gone |
         *     | `retryable` | `processing` | the same `externalOrderId` is sent again: priced, checked and reserved afresh, same `orderId` |
         *     | `retryable` | `failed` | not sent again for 24 hours |
         *     | `delivered` | `refunded` | an operator refunds the order |
         *
         *     An order that is `processing` needs nobody to come to its end: the service goes on asking by itself, after pauses
         *     that grow to five minutes. Sending the order again only makes it ask at once.
         * @enum {string}
         */
        OrderStatus: "processing" | "retryable" | "delivered" | "failed" | "refunded";
        /** @description The public price list. */
        Pricing: {
            /** @description All levels, the lowest first. */
            levels: components["schemas"]["PricingLevel"][];
            /** @description The products that are sold, each with its prices. */
            products: components["schemas"]["PricingProduct"][];
        };
        /** @description A level and the cumulative top-up in USD that it needs. */
        PricingLevel: {
            level: components["schemas"]["Level"];
            threshold: components["schemas"]["DecimalMoney"];
        };
        /** @description An enabled product and its unit price at each level. */
        PricingProduct: {
            id: components["schemas"]["ProductId"];
            /** @description A readable short name for links. */
            slug?: string | null;
            /** @description The name to show to people; it can change. */
            name: string;
            currency: components["schemas"]["Currency"];
            levelPrices: components["schemas"]["LevelPrices"];
        };
        /** @description A product at the price of the caller's account level. */
        Product: {
            id: components["schemas"]["ProductId"];
            /** @description A readable short name for links. */
            slug: string | null;
            /** @description The name to show to people; it can change. */
            name: string;
            price: components["schemas"]["DecimalMoney"];
            currency: components["schemas"]["Currency"];
            /** @description How an order is fulfilled; `automatic` when no person is involved. */
            fulfillmentMode: string | null;
            /** @description Whether at least one code can be bought now. */
            inStock: boolean;
            /** @description Where the codes come from; `null` when it is not stated. */
            stockMode: components["schemas"]["StockMode"] | null;
            /**
             * Format: int64
             * @description How many codes can be bought now, at most the number that the shop shows; `null` when it is not known, as for
             *     an `on_demand` product: ask for the availability of the quantity that you want.
             */
            stock: number | null;
            /** @description Whether there are more codes than `stock` shows; false where `stock` is `null`. */
            stockCapped: boolean;
            availabilityStatus: components["schemas"]["AvailabilityStatus"];
            /** @description When codes are delivered; `instant` when they come with the answer to the order. */
            deliveryMode: string | null;
        };
        /**
         * @description The stable identifier of a product. Use it as your key, never the name.
         * @example chat-plus-1m
         */
        ProductId: string;
        /** @description The account's level and the products that are sold at it. */
        ProductList: {
            level: components["schemas"]["LevelSummary"];
            /** @description The products, each at the price of that level. */
            products: components["schemas"]["Product"][];
        };
        /** @description There is no such product. */
        ProductNotFoundError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "not_found";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description The account sends too many requests. */
        RateLimitedError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "rate_limited";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description The service itself is not available for the moment. */
        ServiceUnavailableError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "supplier_unavailable";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /**
         * @description - `inventory`: sold from codes that the service holds.
         *     - `on_demand`: bought from a supplier when you order, while you wait; the codes come with the answer all the same.
         * @enum {string}
         */
        StockMode: "inventory" | "on_demand";
        /** @description Why the supplier cannot be asked. */
        SupplierFaultError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "supplier_unavailable" | "supplier_not_configured";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description The key is not let in. */
        UnauthorizedError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "unauthorized";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description An unexpected fault. */
        UnexpectedError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "server_error";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /**
         * Format: int64
         * @description A time in whole seconds since 1970-01-01 UTC.
         * @example 1755612216
         */
        UnixSeconds: number;
    };
    responses: {
        /**
         * @description The body is no order: a field is invalid (`invalid_input`), or it is no JSON object at all or names a field twice
         *     (`bad_request`).
         *     Correct the request; do not send it again unchanged.
         */
        BadOrderRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BadOrderRequestError"];
            };
        };
        /** @description The key lacks the scope that the operation needs. Use a key of the right kind. */
        InsufficientScope: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InsufficientScopeError"];
            };
        };
        /** @description A path or query value is invalid. Correct the request; do not send it again unchanged. */
        InvalidInput: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidInputError"];
            };
        };
        /**
         * @description The order conflicts with what is known:
         *     - `price_changed`: the current price is not `expectedUnitPrice`; `details` holds `expectedUnitPrice` and
         *       `actualUnitPrice`. Read `GET /products`, confirm the new price, then order with a new `externalOrderId`.
         *     - `idempotency_conflict`: the `externalOrderId` was used with another product or quantity, or its order is
         *       closed (`details` then holds `orderId`, `status` and `errorCode`).
         *     - `out_of_stock`: the quantity cannot be fulfilled now; check availability again later.
         *     - `supplier_price_changed`: the supplier's cost passed the platform's guard; wait for a new price.
         *
         *     Nothing was charged. After `out_of_stock` and `supplier_price_changed` there is either no order, or, when the
         *     supplier refused after the amount had been reserved, one that is `retryable` with nothing reserved any more. Either
         *     way the same `externalOrderId` may be sent again: the order is then priced and checked afresh.
         */
        OrderConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OrderConflictError"];
            };
        };
        /**
         * @description The key may not place this order: it lacks the scope `shop:order` (`insufficient_scope`), or the amount is
         *     above its cap for a single order (`key_order_limit_exceeded`; lower `qty` or have the cap raised).
         */
        OrderForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OrderForbiddenError"];
            };
        };
        /** @description No such order, or it belongs to another account. */
        OrderNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OrderNotFoundError"];
            };
        };
        /**
         * @description The order cannot be paid: the available balance is too low (`insufficient_balance`; top up, then send the
         *     order again with the same `externalOrderId`), or the key's daily cap is reached
         *     (`key_daily_limit_exceeded`; send it again after midnight UTC or after the cap is raised).
         */
        OrderNotPayable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OrderNotPayableError"];
            };
        };
        /**
         * @description The order has no result yet. Send it again, unchanged and with the same `externalOrderId`:
         *     - `supplier_unavailable`: a passing fault at the supplier; retry with backoff. Leaves no order when nothing was
         *       reserved yet, a `retryable` one when nothing was bought for certain, and a `processing` one, with its amount
         *       reserved, when that is not certain.
         *     - `supplier_not_configured`: a fault on the operator's side; do not loop. Leaves no order or a `retryable` one.
         *     - `order_in_progress`: another attempt holds the order, or this one goes on after the 25 seconds that a request may
         *       take; wait `details.retryAfterSeconds` first, which the header `Retry-After` repeats.
         *     - `order_commit_pending`: the result is being finalized.
         */
        OrderPending: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                /**
                 * @description Whole seconds to wait before the order is sent again; sent with `order_in_progress` and equal to its
                 *     `details.retryAfterSeconds`.
                 * @example 2
                 */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OrderPendingError"];
            };
        };
        /** @description No such product is sold to this account. */
        ProductNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ProductNotFoundError"];
            };
        };
        /** @description The account sends too many requests. Wait `Retry-After` seconds, then back off exponentially. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RateLimitedError"];
            };
        };
        /** @description An unexpected fault. An order may be sent again with the same `externalOrderId`. */
        ServerError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnexpectedError"];
            };
        };
        /**
         * @description The service itself cannot answer at the moment (`supplier_unavailable`), as while it is restarted or cannot reach its data.
         *     Wait `Retry-After` seconds, then try again with backoff.
         */
        ServiceUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After-if-known"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ServiceUnavailableError"];
            };
        };
        /**
         * @description The supplier does not answer at the moment (`supplier_unavailable`; try again with backoff), or the operator
         *     has not set it up (`supplier_not_configured`; do not loop).
         */
        SupplierFault: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After-if-known"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SupplierFaultError"];
            };
        };
        /** @description The key is missing, invalid, revoked or expired, or the account is not available. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnauthorizedError"];
            };
        };
    };
    parameters: {
        /**
         * @description The `nextCursor` of the previous page, unchanged. It is opaque; one that the service did not issue to this
         *     account is refused with 400 `invalid_input`. Leave it out for the first page.
         */
        Cursor: string;
        /** @description Only the order with this id of yours. Ids are compared byte for byte. */
        ExternalOrderIdQuery: components["schemas"]["ExternalOrderId"];
        /**
         * @description The most orders that one page may hold.
         * @example 50
         */
        Limit: number;
        /**
         * @description The `orderId` that the service issued.
         * @example ord_0198c2a47b3e7d219f04c1a2b3d4e5f6
         */
        OrderId: string;
        /**
         * @description The `id` of a product of `GET /products`.
         * @example chat-plus-1m
         */
        ProductIdPath: components["schemas"]["ProductId"];
        /**
         * @description How many codes you would like to buy.
         * @example 2
         */
        Quantity: number;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Whole seconds to wait before the next attempt. Back off exponentially when it repeats.
         * @example 12
         */
        "Retry-After": number;
        /**
         * @description Whole seconds to wait before the next attempt, where the service can tell.
         * @example 2
         */
        "Retry-After-if-known": number;
        /**
         * @description Identifies this request in the service's logs. A request may bring its own: up to 128 letters, digits, `.`, `_`
         *     and `-` come back unchanged; otherwise, and for what looks like a key (`sk_`, `sk-`), the service makes one.
         * @example 3f0c9b1e-6d0a-4a57-9a53-0f6a1f3c2b7d
         */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getPricing: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Level thresholds and level prices. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pricing"];
                };
            };
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listProducts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account's level and the products. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["SupplierFault"];
        };
    };
    checkAvailability: {
        parameters: {
            query?: {
                /**
                 * @description How many codes you would like to buy.
                 * @example 2
                 */
                qty?: components["parameters"]["Quantity"];
            };
            header?: never;
            path: {
                /**
                 * @description The `id` of a product of `GET /products`.
                 * @example chat-plus-1m
                 */
                id: components["parameters"]["ProductIdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Availability and price at the moment of the call. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Availability"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["ProductNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["SupplierFault"];
        };
    };
    getBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Balance and level. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Balance"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listOrders: {
        parameters: {
            query?: {
                /**
                 * @description The most orders that one page may hold.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `nextCursor` of the previous page, unchanged. It is opaque; one that the service did not issue to this
                 *     account is refused with 400 `invalid_input`. Leave it out for the first page.
                 */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only the order with this id of yours. Ids are compared byte for byte. */
                externalOrderId?: components["parameters"]["ExternalOrderIdQuery"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of orders, without codes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createOrder: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderRequest"];
            };
        };
        responses: {
            /**
             * @description The delivered order with its codes: bought now (`reused: false`) or bought before under the same
             *     `externalOrderId` (`reused: true`, no second charge).
             */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["BadOrderRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["OrderNotPayable"];
            403: components["responses"]["OrderForbidden"];
            404: components["responses"]["ProductNotFound"];
            409: components["responses"]["OrderConflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["OrderPending"];
        };
    };
    getOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `orderId` that the service issued.
                 * @example ord_0198c2a47b3e7d219f04c1a2b3d4e5f6
                 */
                id: components["parameters"]["OrderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["OrderNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}
