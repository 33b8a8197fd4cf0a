import { Component, type ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { Note } from "../../ui/states.tsx";

/** Shows instead of a page that failed what can be done: most often it is of a version that the service has no more. */
export class PageBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <Note tone="danger">
        <p>This page could not be shown. There may be a newer version of it.</p>
        <div>
          <Button onClick={() => location.reload()}>Load it again</Button>
        </div>
      </Note>
    );
  }
}
