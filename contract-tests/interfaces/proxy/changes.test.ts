import { expectPlants, readExample } from "../../change/planted-changes.ts";

// Changes of streams, open bodies and several ways to send a key, which only this interface has.
expectPlants(readExample("proxy"), [
  [
    "a media type goes",
    "breaking",
    "The media type `text/event-stream` is gone",
    (d) => {
      delete d.paths["/v1/messages"].post.responses["200"].content["text/event-stream"];
    },
  ],
  [
    "keywords beside a reference count",
    "breaking",
    "`Account.balance_microcents` was integer, is integer or null now",
    (d) => {
      const { properties } = d.components.schemas.Account;
      properties.balance_microcents.type = ["integer", "null"];
    },
  ],
  [
    "an open body is closed",
    "breaking",
    "`MessageRequest` has no fields that the contract does not name",
    (d) => {
      d.components.schemas.MessageRequest.additionalProperties = false;
    },
  ],
  [
    "one of several headers for the key goes",
    "breaking",
    "Keys that were let in are refused now",
    (d) => {
      d.paths["/v1/me"].get.security.shift();
    },
  ],
]);
