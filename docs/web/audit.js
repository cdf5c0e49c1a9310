
// The page of an audit: recomputes the record that it holds. Nothing of it runs before the button is pressed.

{
  const place = document.getElementById("recomputed"), button = document.getElementById("recompute");
  button.hidden = false;
  button.addEventListener("click", () => pressed(button, place, async () => {
    const [main, ...mains] = document.querySelectorAll("main");
    const [held, ...more] = document.querySelectorAll("template, #record");
    if (!main?.contains(held) || held.localName !== "template" || held.id !== "record" || more.length + mains.length)
      throw new Error("This page does not hold one record: it was changed.");
    const page = main.cloneNode(true);
    page.querySelectorAll("template, script, #recomputed").forEach(part => part.remove());
    const text = page.textContent.replace(/[ \t\n]/g, "");
    const kernels = await loadKernels(Uint8Array.from(atob("@KERNELS@"), letter => letter.charCodeAt(0)));
    const digest = await showRecord(kernels, held.content.textContent, place);
    const wrong = [];
    if (digest && await sha256(text) !== button.dataset.text)
      wrong.push("The text of this page is not what csig wrote: it was changed, or translated.");
    if (digest && !text.includes(digest)) wrong.push("The text of this page is not that of the record in it.");
    if (!wrong.length) return;
    place.querySelectorAll("p.agrees").forEach(part => part.setAttribute("class", "quiet"));
    place.prepend(...wrong.map(words => element("p", { class: "differs" }, element("strong", {}, words))));
  }));
}
