/**
 * How Node runs the service and the operator's commands. Without a bound V8 lets garbage grow with the memory of the
 * machine: a process that needs 50 MB came to 360 MB on 24 GiB, and how much a burst of requests or an import added was a
 * matter of luck. A bound of the old generation alone would shrink the young one, which costs a tenth of the orders per
 * second.
 */
export const serviceNodeOptions = ["--max-old-space-size=1024", "--max-semi-space-size=16"];
