/* Browsers start no worker from a file. There the site's search runs its script in a hidden frame instead. */
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const scope = this.frame.contentWindow;
      const load = (source) =>
        new Promise((done, failed) => {
          const script = scope.document.createElement("script");
          script.onload = done;
          script.onerror = () => failed(new Error(`cannot load ${source}`));
          script.src = source;
          scope.document.body.append(script);
        });
      scope.importScripts = async (...sources) => {
        for (const source of sources) await load(source);
      };
      scope.postMessage = (data) => {
        const event = new MessageEvent("message", { data });
        this.dispatchEvent(event);
        this.onmessage?.(event);
      };
      this.ready = load(url);
    }

    async postMessage(data) {
      await this.ready;
      this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
