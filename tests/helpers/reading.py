"""What a page looks like to a reader, asked of a browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from real_parts import needs

if TYPE_CHECKING:
    from playwright.sync_api import Page

CONTRAST = """
() => {
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = numbers(getComputedStyle(e).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour.slice(0, 3);
    }
    return [255, 255, 255];
  };
  const found = [];
  for (const element of document.body.querySelectorAll("*")) {
    const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || !element.checkVisibility({ visibilityProperty: true })) continue;
    if (["title", "desc"].includes(element.tagName)) continue;
    const style = getComputedStyle(element);
    const drawn = element instanceof SVGElement ? style.fill : style.color;
    const a = luminance(numbers(drawn).slice(0, 3));
    const b = luminance(behind(element));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    found.push([ratio, element.textContent.trim().slice(0, 40)]);
  }
  return found;
}
"""
"""Ratio of contrast and text of every element that shows text of its own."""


def broken_rules(page: Page) -> list[str]:
    """The rules of accessibility that a page breaks, by axe, with everything unfolded."""
    page.eval_on_selector_all("details", "all => all.forEach(d => d.open = true)")
    page.evaluate(Path(needs("axe")).read_text("utf-8"))
    found: dict[str, Any] = page.evaluate("axe.run()")
    assert len(found["passes"]) > 20
    return [f"{rule['id']}: {node['html'][:200]}" for rule in found["violations"] for node in rule["nodes"]]
