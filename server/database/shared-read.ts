/**
 * Makes many concurrent calls share one read without ever giving any of them something stale:
 * each call is answered by a read that began after the call did.
 */
export function sharedRead<T>(read: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null;
  let next: Promise<T> | null = null;

  function begin(): Promise<T> {
    const reading = read().finally(() => {
      if (underWay === reading) underWay = null;
    });
    underWay = reading;
    return reading;
  }

  return () => {
    if (underWay === null) return begin();
    next ??= underWay.then(startNext, startNext);
    return next;
  };

  function startNext(): Promise<T> {
    next = null;
    return begin();
  }
}
