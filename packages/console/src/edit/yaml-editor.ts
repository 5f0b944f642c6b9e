import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml, yamlLanguage } from '@codemirror/lang-yaml';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { rangeOfField } from './field-position.ts';
import { type ReadSchema, schemaHints } from './schema-hints.ts';

/** A failure about a field of the text. */
export interface FieldFailure {
  /** Its path; empty for the whole object. */
  readonly field: string;
  readonly message: string;
}

/** An editor in a page. */
export interface YamlEditor extends Disposable {
  /** Shows failures beside their lines, in place of earlier ones. */
  show(failures: readonly FieldFailure[]): void;
  focus(): void;
}

// Colors are those of the page, which change with its color scheme.
const highlighting = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--link)' },
  { tag: [tags.string, tags.content, tags.attributeValue], color: 'var(--text)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--waiting)' },
  { tag: [tags.comment, tags.meta], color: 'var(--quiet)' },
]);

const theme = EditorView.theme({
  '&': { border: '1px solid var(--line)', borderRadius: '4px', background: 'var(--raised)' },
  '.cm-content': { fontFamily: 'ui-monospace, monospace', fontSize: '0.85rem', caretColor: 'var(--text)' },
  '.cm-gutters': { background: 'var(--raised)', color: 'var(--quiet)', border: '0' },
  '.cm-tooltip': { background: 'var(--ground)', color: 'var(--text)', border: '1px solid var(--line)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    background: 'var(--chosen) !important',
    color: 'var(--text) !important',
  },
  '.cm-completionDetail': { color: 'var(--quiet)', fontStyle: 'normal' },
  '.field-documentation': { maxWidth: '28rem', padding: '0.35rem 0.5rem' },
  '.field-documentation p': { margin: '0.25rem 0 0', whiteSpace: 'pre-wrap' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-changedLine, .cm-insertedLine': { background: 'var(--added) !important' },
  '.cm-deletedChunk, .cm-deletedLine': { background: 'var(--removed) !important' },
  '.cm-changedText, .cm-deletedText': { background: 'none !important', textDecoration: 'none' },
  '.cm-collapsedLines': { background: 'var(--ground)', color: 'var(--quiet)' },
});

const common = (label: string): Extension => [
  yaml(),
  syntaxHighlighting(highlighting),
  theme,
  lineNumbers(),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ 'aria-label': label }),
];

/** What an editor is called, and what it reports. */
export interface EditorOptions {
  readonly label: string;
  /** Called with the text after each change of it. */
  readonly onChange: (text: string) => void;
  readonly schema: ReadSchema;
}

/** Opens an editor. Its styles are in a shadow root: the policy of the page permits no style sheets in the document. */
export function openEditor(
  host: HTMLElement,
  text: string,
  { label, onChange, schema }: EditorOptions,
): YamlEditor {
  const root = rootOf(host);
  const keys = keymap.of([...defaultKeymap, ...historyKeymap]);
  const listener = EditorView.updateListener.of(({ docChanged, state }) => {
    if (docChanged) onChange(state.doc.toString());
  });
  const extensions = [schemaHints(schema), common(label), history(), keys, lintGutter(), listener];
  const view = new EditorView({ root, parent: root, state: EditorState.create({ doc: text, extensions }) });
  return {
    show(failures) {
      const shown = view.state.doc.toString();
      const tree = yamlLanguage.parser.parse(shown);
      const diagnostics = failures.map(({ field, message }): Diagnostic => {
        const { from, to } = rangeOfField(tree, shown, field);
        return { from, to, severity: 'error', message: field === '' ? message : `${field}: ${message}` };
      });
      view.dispatch(setDiagnostics(view.state, diagnostics));
      const [first] = diagnostics;
      if (first !== undefined)
        view.dispatch({ effects: EditorView.scrollIntoView(first.from, { y: 'center' }) });
    },
    focus: () => view.focus(),
    [Symbol.dispose]: () => view.destroy(),
  };
}

/** Shows what differs between two texts. */
export function openDifference(host: HTMLElement, original: string, changed: string): Disposable {
  const root = rootOf(host);
  const extensions = [
    common('Difference'),
    EditorState.readOnly.of(true),
    unifiedMergeView({
      original,
      mergeControls: false,
      gutter: true,
      collapseUnchanged: { margin: 2, minSize: 4 },
    }),
  ];
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({ doc: changed, extensions }),
  });
  return { [Symbol.dispose]: () => view.destroy() };
}

function rootOf(host: HTMLElement): ShadowRoot {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  root.replaceChildren();
  return root;
}
