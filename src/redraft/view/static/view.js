"use strict";
// The gallery: search as one types, further runs as one scrolls, arrow keys. Everything works without it, by the form.

const { root } = document.body.dataset; // the path that all pages lie under
const CLOSED = "The viewer was started again, or a day has passed. Open the address that it prints in its terminal.";

/** Return the document that an address answers with; null where nothing has changed. */
async function fetched(address, signal) {
  const answer = await fetch(address, { signal, headers: { accept: "text/html" } });
  if (answer.status === 204) return null;
  if (!answer.ok) throw Object.assign(new Error(answer.statusText), { status: answer.status });
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

/** Make an element equal to another one: what is equal stays as it is, with its focus, scroll place and open details. */
function morph(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  const alike = (a, b) => a.nodeName === b.nodeName && (a.id ?? "") === (b.id ?? "");
  if (old.nodeType !== Node.ELEMENT_NODE || !alike(old, fresh)) return old.replaceWith(fresh);
  const open = old.nodeName === "DETAILS" && old.open;
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  if (open) old.open = true;
  if (old.hasAttribute("data-own")) return; // filled by a script
  let place = old.firstChild;
  for (const child of [...fresh.childNodes]) {
    const found = child.id ? [...old.children].find((one) => one.id === child.id) : place;
    if (found && alike(found, child)) {
      if (found === place) place = place.nextSibling;
      else old.insertBefore(found, place);
      morph(found, child);
    } else old.insertBefore(child, place);
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

function gallery(form) {
  const cards = document.getElementById("cards");
  const count = document.getElementById("count");
  const words = form.elements.words;
  const number = (n) => Number(n).toLocaleString("en");
  let loading = null;

  const query = () => new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
  const told = () => {
    const { total, all, left } = cards.dataset;
    const runs = total === all ? `${number(all)} run${all === "1" ? "" : "s"}` : `${number(total)} of ${number(all)} runs`;
    count.textContent = all === "0" && left === "0" ? `No runs in ${count.dataset.folder} yet.` : runs + (left === "0" ? "" : `; reading ${number(left)} more`);
  };

  /** Replace the list by its newest state, as long as it was, or by the first part of another choice. */
  async function refresh(many, version) {
    loading?.abort();
    loading = new AbortController();
    const parameters = query();
    if (many) parameters.set("many", many);
    if (version) parameters.set("version", version);
    try {
      const found = await fetched(`${root}/cards?${parameters}`, loading.signal);
      if (found) morph(cards, document.adoptNode(found.getElementById("cards")));
      told();
    } catch (error) {
      if (error.name !== "AbortError") count.textContent = error.status === 403 ? CLOSED : "The viewer is not responding. Start it again: redraft view";
    }
    loading = null;
  }

  async function more() {
    if (loading || cards.children.length >= Number(cards.dataset.total)) return;
    loading = new AbortController();
    const parameters = query();
    parameters.set("from", cards.children.length);
    try {
      const found = await fetched(`${root}/cards?${parameters}`, loading.signal);
      for (const card of [...found.getElementById("cards").children]) if (!document.getElementById(card.id)) cards.append(card);
    } catch {
      // The next scroll tries again.
    }
    loading = null;
  }

  const chosen = () => {
    history.replaceState(null, "", `${root}/?${query()}`);
    refresh();
  };
  form.addEventListener("input", chosen);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    chosen();
  });
  addEventListener("scroll", () => scrollY + innerHeight * 3 > document.documentElement.scrollHeight && more(), { passive: true });
  setInterval(() => document.hidden || loading || refresh(Math.max(60, cards.children.length), cards.dataset.version), 2000);

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.closest("input, select, textarea");
    if (event.key === "/" && !typing) {
      event.preventDefault();
      words.focus();
    } else if (event.key === "n" && !typing) document.querySelector('.bar .button')?.click();
    else if (event.key.startsWith("Arrow") && (!typing || (typing === words && event.key === "ArrowDown"))) step(event);
  });

  function step(event) {
    const links = [...cards.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement);
    const across = getComputedStyle(cards).gridTemplateColumns.split(" ").length;
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -across, ArrowDown: across }[event.key];
    const next = links[at < 0 ? 0 : at + by];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }
}

const search = document.getElementById("search");
if (search) gallery(search);
