"use strict";
// The page of one run: it follows the run's events and brings the page up to date, part by part.

const live = document.getElementById("live");
const LINES = 500;
const SOONEST = 250; // milliseconds between two looks at the page

let count = Number(live.dataset.count);
let wanted = false;
let busy = false;
let ended = false;

/** Bring the page up to date; what comes meanwhile is shown by the next look. */
async function bringUpToDate() {
  wanted = true;
  if (busy) return;
  busy = true;
  while (wanted) {
    wanted = false;
    const began = performance.now();
    try {
      const found = await fetched(location.pathname);
      for (const id of ["content", "actions"]) {
        const fresh = found.getElementById(id);
        const old = document.getElementById(id);
        if (fresh && old) morph(old, document.adoptNode(fresh));
      }
      document.dispatchEvent(new Event("fresh"));
    } catch (error) {
      if (error.status === 404) gone();
      if (error.status === 403) end("Closed", CLOSED);
    }
    await new Promise((done) => setTimeout(done, Math.max(SOONEST, 2 * (performance.now() - began))));
  }
  busy = false;
}

const gone = () => end("Deleted", "This run was deleted. The page shows its last state.");

/** Follow the run no longer. */
function end(state, reason) {
  ended = true;
  source.close();
  document.getElementById("state").textContent = state;
  document.getElementById("doing").textContent = reason;
}

function add(lines) {
  const log = document.getElementById("log");
  const low = log.scrollTop + log.clientHeight >= log.scrollHeight - 8;
  for (const line of lines) {
    const item = document.createElement("li");
    const text = document.createElement("bdi");
    text.textContent = line;
    item.append(text);
    log.append(item);
  }
  while (log.children.length > LINES) log.firstChild.remove();
  if (low) log.scrollTop = log.scrollHeight;
}

let source;
function follow() {
  source = new EventSource(`${root}/live/${encodeURIComponent(live.dataset.name)}?from=${count}`);
  source.onmessage = (message) => {
    const said = JSON.parse(message.data);
    if (said.count >= count) add(said.lines);
    count = said.count;
    document.getElementById("events").textContent = `${count.toLocaleString("en")} event${count === 1 ? "" : "s"}`;
    document.getElementById("state").textContent = said.running ? "Running" : count ? "Ended" : "Starting";
    document.getElementById("doing").textContent = said.doing;
    bringUpToDate();
  };
  source.addEventListener("gone", gone);
  source.onerror = () => {
    // The browser would ask again from where the page began: ask from here, once the viewer answers.
    source.close();
    document.getElementById("doing").textContent = "The viewer is not responding. Waiting.";
    bringUpToDate(); // or the run is no more
    setTimeout(() => ended || follow(), 1000);
  };
}
follow();
addEventListener("pagehide", () => source.close());

// Two pictures under a slider.

function compare() {
  const [left, right, share] = ["left", "right", "share"].map((id) => document.getElementById(id));
  if (!left || !share) return;
  const [under, over] = ["under", "over"].map((id) => document.getElementById(id));
  const show = () => {
    if (over.getAttribute("src") !== right.value) over.src = right.value;
    if (under.getAttribute("src") !== left.value) under.src = left.value;
    over.style.clipPath = `inset(0 0 0 ${share.value}%)`;
    document.getElementById("slider").style.setProperty("--at", `${share.value}%`);
  };
  for (const one of [left, right, share]) one.oninput = show;
  show();
}

// The frames of an animation, and the sides of a scene.

/** Load a picture; the reason it cannot be had is shown instead. */
async function loaded(src, problem) {
  const picture = new Image();
  picture.src = src;
  try {
    await picture.decode();
  } catch {
    const answer = await fetch(src).catch(() => null);
    const page = answer && new DOMParser().parseFromString(await answer.text(), "text/html");
    problem.textContent = page?.querySelector("main p")?.textContent ?? "The viewer is not responding.";
    problem.hidden = false;
    return false;
  }
  problem.hidden = true;
  return true;
}

const players = new WeakSet();
function play() {
  for (const player of document.querySelectorAll(".player")) {
    if (players.has(player)) continue;
    players.add(player);
    const [frame, button, at, number, problem] = ["img", "button", "input", "output", ".warned"].map((one) => player.querySelector(one));
    let playing = null;
    const frames = () => JSON.parse(player.dataset.frames);
    const show = async () => {
      const srcs = frames();
      const wanted = (at.value = Math.min(at.value, srcs.length - 1));
      at.max = srcs.length - 1;
      number.textContent = `${Number(wanted) + 1} of ${srcs.length}`;
      if ((await loaded(srcs[wanted], problem)) && Number(at.value) === Number(wanted)) frame.src = srcs[wanted];
    };
    const stop = () => {
      clearTimeout(playing);
      playing = null;
      button.textContent = "Play";
    };
    const step = async () => {
      const began = performance.now();
      at.value = (Number(at.value) + 1) % frames().length;
      await show();
      if (playing) playing = setTimeout(step, Math.max(0, player.dataset.interval * 1000 - (performance.now() - began)));
    };
    at.oninput = () => {
      stop();
      show();
    };
    button.onclick = () => {
      if (playing) return stop();
      button.textContent = "Pause";
      playing = setTimeout(step, 0);
    };
    new MutationObserver(show).observe(player, { attributeFilter: ["data-frames"] });
    new IntersectionObserver((seen, observer) => {
      if (!seen.some((one) => one.isIntersecting)) return;
      observer.disconnect(); // the first picture is asked for when it comes into sight
      show();
    }).observe(player);
  }
}

// A window on a board.

async function board() {
  const part = document.getElementById("part");
  if (!part) return;
  const [room, view] = ["room", "window"].map((id) => document.getElementById(id));
  const place = `${root}/board/${encodeURIComponent(live.dataset.name)}`;
  const show = () => {
    const src = `${place}/window?${new URLSearchParams({ part: part.value, room: room.value, at: count })}`;
    if (view.getAttribute("src") !== src) view.src = src;
  };
  part.oninput = room.onchange = show;
  if (part.options.length === 1) {
    const answer = await fetch(`${place}/parts`);
    if (answer.ok) for (const name of await answer.json()) part.add(new Option(name, name));
  }
  show();
}

for (const tool of [compare, play, board]) {
  document.addEventListener("fresh", tool);
  tool();
}
