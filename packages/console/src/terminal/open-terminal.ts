import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import css from '@xterm/xterm/css/xterm.css?inline';
import { adopt, permittedStyles } from './styles.ts';

export interface PageTerminal extends Disposable {
  /** Shows bytes of a command. */
  write(data: Uint8Array): void;
  focus(): void;
  readonly columns: number;
  readonly rows: number;
}

export interface TerminalOptions {
  readonly label: string;
  readonly onInput: (text: string) => void;
  readonly onResize: (columns: number, rows: number) => void;
  /** The user leaves the terminal with the keyboard. */
  readonly onLeave: () => void;
}

/** Output that waits to be drawn; more is dropped, because browsers cannot slow a WebSocket down. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
const MAX_LINES = 5000;

/** A terminal in an element. Output never becomes HTML, a title, a link or content of the clipboard. */
export function openTerminal(parent: HTMLElement, options: TerminalOptions): PageTerminal {
  adopt(document, css);
  const terminal = new Terminal({
    ...{
      scrollback: MAX_LINES,
      screenReaderMode: true,
    },
    ...{ fontFamily: 'ui-monospace, monospace', fontSize: 13, theme: themeOf(parent) },
    linkHandler: { activate: () => undefined },
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  const styles = permittedStyles(document);
  terminal.open(parent);
  terminal.textarea?.setAttribute('aria-label', options.label);
  terminal.onData(options.onInput);
  terminal.onResize(({ cols, rows }) => options.onResize(cols, rows));
  terminal.attachCustomKeyEventHandler((event) => {
    if (!event.ctrlKey || event.key !== ']') return true;
    if (event.type === 'keydown') options.onLeave();
    return false;
  });
  fit.fit();
  const sizes = new ResizeObserver(() => fit.fit());
  sizes.observe(parent);
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const onScheme = (): void => {
    terminal.options.theme = themeOf(parent);
  };
  scheme.addEventListener('change', onScheme);
  return {
    write: writerOf(terminal),
    focus: () => terminal.focus(),
    get columns() {
      return terminal.cols;
    },
    get rows() {
      return terminal.rows;
    },
    [Symbol.dispose]() {
      scheme.removeEventListener('change', onScheme);
      sizes.disconnect();
      terminal.dispose();
      styles[Symbol.dispose]();
    },
  };
}

function writerOf(terminal: Terminal): (data: Uint8Array) => void {
  let waiting = 0;
  let isDropping = false;
  return (data) => {
    if (waiting + data.length > MAX_WAITING_BYTES) {
      isDropping = true;
      return;
    }
    if (isDropping) {
      isDropping = false;
      terminal.write('\r\n[output was dropped: it came faster than it can be shown]\r\n');
    }
    waiting += data.length;
    terminal.write(data, () => {
      waiting -= data.length;
    });
  };
}

/** The colors of the page around the terminal. */
function themeOf(parent: HTMLElement) {
  const { color, backgroundColor } = getComputedStyle(parent);
  return { background: backgroundColor, foreground: color, cursor: color, cursorAccent: backgroundColor };
}
