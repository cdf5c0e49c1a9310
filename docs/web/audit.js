
// The page of an audit: recomputes the record that it holds. Nothing of it runs before the button is pressed.

{
  const place = document.getElementById("recomputed"), button = document.getElementById("recompute");
  button.hidden = false;
  button.addEventListener("click", () => pressed(button, place, async () => {
    const page = document.querySelector("main").cloneNode(true);
    page.querySelectorAll("template, script, #recomputed").forEach(part => part.remove());
    const text = page.textContent.replace(/[ \t\n]/g, "");
    const kernels = await loadKernels(Uint8Array.from(atob("@KERNELS@"), letter => letter.charCodeAt(0)));
    await showRecord(kernels, document.getElementById("record").content.textContent, place);
    if (crypto.subtle && await sha256(text) !== button.dataset.text) place.prepend(element("p", { class: "differs" },
      element("strong", {}, "The text of this page is not what csig wrote: it was changed, or translated.")));
  }));
}
