// @ts-nocheck: it runs in browsers, whose types the service does not have.
// The page works without it; this adds the choice of colours (which the reference pages share), copying, and one language
// for all samples.
(() => {
  const SCHEME = "redoc.colorMode";
  const LANGUAGE = "docs.language";
  const recall = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  const remember = (name, value) => {
    try {
      localStorage.setItem(name, value);
    } catch {
      // A browser that keeps nothing asks again next time.
    }
  };
  const root = document.documentElement;
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const scheme = () => recall(SCHEME) || (prefersDark.matches ? "dark" : "light");
  const show = () => {
    root.dataset.scheme = scheme();
  };
  show();
  prefersDark.addEventListener("change", show);

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("button.scheme");
    const label = () => {
      button.textContent = scheme() === "dark" ? "Light" : "Dark";
    };
    button.hidden = false;
    label();
    button.addEventListener("click", () => {
      remember(SCHEME, scheme() === "dark" ? "light" : "dark");
      show();
      label();
    });

    for (const copy of document.querySelectorAll("button.copy")) {
      copy.hidden = !navigator.clipboard;
      copy.addEventListener("click", async () => {
        await navigator.clipboard.writeText(copy.nextElementSibling.textContent);
        copy.textContent = "Copied";
        setTimeout(() => {
          copy.textContent = "Copy";
        }, 1500);
      });
    }

    const choose = (language) => {
      for (const tab of document.querySelectorAll("input[data-language]"))
        if (tab.dataset.language === language) tab.checked = true;
    };
    choose(recall(LANGUAGE));
    document.addEventListener("change", ({ target }) => {
      if (!target.dataset.language) return;
      // What is above may change its height; what is chosen stays where it is.
      const before = target.nextElementSibling.getBoundingClientRect().top;
      choose(target.dataset.language);
      remember(LANGUAGE, target.dataset.language);
      scrollBy({ top: target.nextElementSibling.getBoundingClientRect().top - before, behavior: "instant" });
    });
  });
})();
