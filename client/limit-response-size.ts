// A thousand codes of 2,000 characters fit, also where every character is escaped.
/** How large an answer may be. */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

type Send = (request: Request) => Promise<Response>;

/** Lets an answer that is too large fail when it is read, so that it cannot fill the memory. */
export function limitResponseSize(send: Send): Send {
  return async (request) => {
    const response = await send(request);
    const { body, headers } = response;
    if (body === null || hasAcceptableLength(headers)) return response;
    return new Response(body.pipeThrough(limited()), response);
  };
}

// Most answers tell their size, and need not be counted. That of a compressed one says nothing.
function hasAcceptableLength(headers: Headers): boolean {
  const length = headers.get("Content-Length");
  return length !== null && Number(length) <= MAX_ANSWER_BYTES && !headers.has("Content-Encoding");
}

function limited(): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes <= MAX_ANSWER_BYTES) controller.enqueue(chunk);
      else controller.error(new Error("The answer is too large."));
    },
  });
}
