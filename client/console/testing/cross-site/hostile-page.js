// What a page of another origin can make a browser send. `attempt` is called by the test, which reads what comes of it.

const TIMEOUT_MS = 300_000;

/** Ways to send what has a body; JSON in a type that needs no leave (`text/plain`), or with leave that the service never gives. */
const SENDERS = {
  fetchWithoutCors: ({ url, json }) => fetched(url, { method: "POST", mode: "no-cors", body: json }),
  fetchWithCors: ({ url, json }) => fetched(url, { method: "POST", body: json }),
  fetchJson: ({ url, method, json }) =>
    fetched(url, { method, headers: { "Content-Type": "application/json" }, body: json }),
  fetchKeptAlive: ({ url, json }) =>
    fetched(url, { method: "POST", mode: "no-cors", keepalive: true, body: json }),
  fetchRedirected: ({ url, json }) =>
    fetched(`/to?${encodeURIComponent(url)}`, { method: "POST", mode: "no-cors", body: json }),
  request: ({ url, json }) => requested("POST", url, json),
  beacon: ({ url, json }) => beaconed(url, new Blob([json], { type: "text/plain" })),
  beaconOfJson: ({ url, json }) => beaconed(url, new Blob([json], { type: "application/json" })),
  formOfText: ({ url, json }) => submitted(url, "text/plain", textFields(json)),
  formUrlencoded: ({ url, json }) => submitted(url, "application/x-www-form-urlencoded", JSON.parse(json)),
  formMultipart: ({ url, json }) => submitted(url, "multipart/form-data", JSON.parse(json)),
  formRedirected: ({ url, json }) =>
    submitted(`/to?${encodeURIComponent(url)}`, "text/plain", textFields(json)),
  formThatNamesItsMethod: ({ url, method, json }) =>
    submitted(`${url}?_method=${method}`, "text/plain", textFields(json)),
  sandboxedFetch: ({ url, json }) => fetchedInSandbox(url, { method: "POST", body: json }),
};

/** Ways to ask for what is read. */
const READERS = {
  fetchWithoutCors: ({ url }) => fetched(url, { mode: "no-cors" }),
  fetchWithCors: ({ url }) => fetched(url, {}),
  head: ({ url }) => fetched(url, { method: "HEAD", mode: "no-cors" }),
  request: ({ url }) => requested("GET", url),
  image: ({ url }) => loaded("img", { src: url }),
  script: ({ url }) => loaded("script", { src: url }),
  style: ({ url }) => loaded("link", { rel: "stylesheet", href: url }),
  frame: ({ url }) => loaded("iframe", { src: url }),
  object: ({ url }) => loaded("object", { data: url }),
  form: ({ url }) => submitted(url, "application/x-www-form-urlencoded", {}, "GET"),
};

/**
 * Asks for everything, in every way.
 * @returns what the page has learned by each; "nothing" is what it should be.
 */
globalThis.attemptAll = async (everything) => {
  const learned = [];
  for (const asked of everything) {
    const before = [...document.body.children];
    const ways = Object.entries(asked.method === "GET" ? READERS : SENDERS);
    learned.push(
      ...(await Promise.all(
        ways.map(
          async ([name, way]) =>
            `${asked.operationId} by ${name}: ${await Promise.race([way(asked), tooLong()])}`,
        ),
      )),
    );
    // Hundreds of frames are slow. The last ones stay until there are others, so that the process of their site does.
    for (const element of before) if (element !== sandbox) element.remove();
  }
  return learned;
};

/** Opens a window that a form of this page leads to. */
globalThis.submitIntoWindow = ({ url, json }) => {
  const form = formOf(url, "text/plain", textFields(json));
  form.target = "_blank";
  document.body.append(form);
  form.submit();
};

function tooLong() {
  return new Promise((end) => setTimeout(end, TIMEOUT_MS, "no end"));
}

async function fetched(url, options) {
  try {
    const response = await fetch(url, { credentials: "include", ...options });
    return response.type === "opaque" ? "nothing" : `status ${response.status}`;
  } catch {
    return "nothing";
  }
}

function requested(method, url, body) {
  return new Promise((end) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    request.withCredentials = true;
    request.onloadend = () => end(request.status === 0 ? "nothing" : `status ${request.status}`);
    request.send(body);
  });
}

function beaconed(url, blob) {
  navigator.sendBeacon(url, blob);
  return "nothing";
}

/** A field whose name and value together are the JSON, with an equals sign in a field that nobody reads. */
function textFields(json) {
  return { [`${json.slice(0, -1)}${json === "{}" ? "" : ","}"ignored":"`]: '"}' };
}

let frames = 0;

/** Sends a form into a frame, so that the page stays. */
function submitted(action, enctype, fields, method = "POST") {
  frames += 1;
  const name = `frame-${frames}`;
  const form = Object.assign(formOf(action, enctype, fields), { method, target: name });
  const frame = Object.assign(document.createElement("iframe"), { name, hidden: true });
  document.body.append(frame, form);
  return new Promise((end) => {
    // The first load may be that of the empty frame.
    frame.onload = () => isElsewhere(frame) && end("nothing");
    form.submit();
  });
}

function formOf(action, enctype, fields) {
  const form = Object.assign(document.createElement("form"), { action, enctype, method: "POST" });
  for (const [name, value] of Object.entries(fields))
    form.append(Object.assign(document.createElement("textarea"), { name, value: String(value) }));
  return form;
}

/** Whether a frame shows another origin, whose document is out of reach. */
function isElsewhere(frame) {
  try {
    return frame.contentDocument === null;
  } catch {
    return true;
  }
}

function loaded(tag, attributes) {
  const element = Object.assign(document.createElement(tag), attributes);
  return new Promise((end) => {
    element.onload = () => end(tag === "img" || tag === "script" ? "loaded" : "nothing");
    element.onerror = () => end("nothing");
    document.body.append(element);
  });
}

const SANDBOXED_PROGRAM = `onmessage = ({ data: [url, options], ports: [port] }) =>
  fetch(url, options).then(({ status }) => \`status \${status}\`, () => "nothing").then((said) => port.postMessage(said));`;

/** A frame of no origin, once there has been a request in it: each would have a process of its own. */
let sandbox = null;
let sandboxIsReady = null;

/** Sends a request from a frame of no origin. */
async function fetchedInSandbox(url, options) {
  if (sandbox === null) {
    sandbox = document.createElement("iframe");
    sandbox.setAttribute("sandbox", "allow-scripts");
    sandbox.srcdoc = `<script>${SANDBOXED_PROGRAM}</script>`;
    sandboxIsReady = new Promise((ready) => {
      sandbox.onload = ready;
    });
    document.body.append(sandbox);
  }
  await sandboxIsReady;
  const { port1, port2 } = new MessageChannel();
  sandbox.contentWindow.postMessage([url, options], "*", [port2]);
  return new Promise((end) => {
    port1.onmessage = ({ data }) => end(data);
  });
}
