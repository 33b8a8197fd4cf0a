import { useState } from "react";
import { Button } from "./button.tsx";

/** Copies a text, and says that it has, or that it could not. */
export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const [said, setSaid] = useState<string | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied");
    } catch {
      setSaid("Not copied: mark it and copy it by hand");
    }
  };
  return (
    <span aria-live="polite">
      <Button look="quiet" onClick={() => void copy()} onBlur={() => setSaid(null)}>
        {said ?? label}
      </Button>
    </span>
  );
}
