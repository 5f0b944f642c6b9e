import { useEffect, useRef, useState } from 'preact/hooks';
import { type ObjectPlace, readYaml } from '../api/objects.ts';
import type { PageSession } from '../api/session.ts';
import { check, fieldFailures, isConflict, save } from '../edit/write-object.ts';
import type { EditorOptions, FieldFailure, YamlEditor } from '../edit/yaml-editor.ts';
import { Difference } from './difference.tsx';
import { LazyForm } from './lazy-form.tsx';
import { Failure } from './notice.tsx';
import { useSchema } from './use-schema.ts';
import { useStop } from './use-stop.ts';

export interface ObjectEditorProps {
  readonly session: PageSession;
  readonly place: ObjectPlace;
  /** The object as it was when the user began. */
  readonly original: string;
  /** The text that the editor shows at first; the object when absent. */
  readonly text?: string;
  /** Whether the fields are inputs instead of one text. */
  readonly isForm?: boolean;
  readonly onDone: () => void;
}

/** What is known about the text in the editor. */
type Verdict =
  | { readonly kind: 'none' | 'waiting' }
  /** What the server would store for a text. */
  | { readonly kind: 'checked'; readonly yaml: string; readonly result: string }
  | { readonly kind: 'refused'; readonly problem: unknown }
  /** Somebody else has changed the object: its present state, and the text of the user. */
  | { readonly kind: 'conflict'; readonly present: string; readonly own: string };

/** Edits an object: the server checks the text, the page shows what would change, and only then it can be saved. */
export function ObjectEditor(props: ObjectEditorProps) {
  const { place, original, onDone, isForm = false } = props;
  const { connection } = props.session;
  const [verdict, setVerdict] = useState<Verdict>({ kind: 'none' });
  const [base, setBase] = useState(original);
  const [text, setText] = useState(props.text ?? original);
  const [failures, setFailures] = useState<readonly FieldFailure[]>(noFailures);
  const schema = useSchema(connection, place.resource);
  const stop = useStop();
  const onChange = (changed: string): void => {
    setText(changed);
    // Only the text that was checked can be saved.
    setVerdict((earlier) =>
      earlier.kind === 'checked' && earlier.yaml !== changed ? { kind: 'none' } : earlier,
    );
  };
  const send = async (write: typeof check, yaml: string): Promise<string | undefined> => {
    setVerdict({ kind: 'waiting' });
    try {
      return await write(connection, { place, yaml }, stop);
    } catch (problem) {
      if (stop.aborted) return undefined;
      setFailures(fieldFailures(problem));
      const present = isConflict(problem) ? await readYaml(connection, place, stop).catch(() => '') : '';
      setVerdict(present === '' ? { kind: 'refused', problem } : { kind: 'conflict', present, own: yaml });
      return undefined;
    }
  };
  const latest = useRef(text);
  latest.current = text;
  const onCheck = async (): Promise<void> => {
    const result = await send(check, text);
    if (result === undefined) return;
    setFailures(noFailures);
    setVerdict(latest.current === text ? { kind: 'checked', yaml: text, result } : { kind: 'none' });
  };
  const onSave = async (): Promise<void> => {
    if (verdict.kind === 'checked' && (await send(save, verdict.yaml)) !== undefined) onDone();
  };
  const onAgain = (present: string): void => {
    setBase(present);
    setText(present);
    setVerdict({ kind: 'none' });
  };
  return (
    <>
      {isForm ? (
        <LazyForm {...{ text, schema, failures, onChange }} />
      ) : (
        <TextEditor key={base} {...{ text, schema, failures, onChange }} />
      )}
      <p class="buttons">
        <button type="button" disabled={verdict.kind === 'waiting'} onClick={onCheck}>
          Check
        </button>
        <button type="button" disabled={verdict.kind !== 'checked'} onClick={onSave}>
          Save
        </button>
        <button type="button" onClick={onDone}>
          Cancel
        </button>
      </p>
      <VerdictText {...{ verdict, base, onAgain }} />
    </>
  );
}

const noFailures: readonly FieldFailure[] = [];

interface VerdictProps {
  readonly verdict: Verdict;
  readonly base: string;
  readonly onAgain: (present: string) => void;
}

function VerdictText({ verdict, base, onAgain }: VerdictProps) {
  switch (verdict.kind) {
    case 'none':
      return <p role="status">The server checks the text before it can be saved.</p>;
    case 'waiting':
      return <p role="status">The server is asked.</p>;
    case 'checked':
      return verdict.result === base ? (
        <p role="status">The server accepts the text. It changes nothing.</p>
      ) : (
        <>
          <p role="status">The server accepts the text. Saving changes this:</p>
          <Difference original={base} changed={verdict.result} />
        </>
      );
    case 'refused':
      return <Failure problem={verdict.problem} />;
    case 'conflict':
      return (
        <div class="failure" role="alert">
          <p>The object has changed since you began. This is what others have changed:</p>
          <Difference original={base} changed={verdict.present} />
          <p>This is what you have changed. Your text is still above:</p>
          <Difference original={base} changed={verdict.own} />
          <button type="button" onClick={() => onAgain(verdict.present)}>
            Begin again with the present object
          </button>
        </div>
      );
  }
}

interface TextEditorProps extends Omit<EditorOptions, 'label'> {
  /** The text at first. */
  readonly text: string;
  readonly failures: readonly FieldFailure[];
}

/** An editor for a text, loaded when it is needed first. */
function TextEditor({ text, failures, onChange, schema }: TextEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<YamlEditor>();
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    const left = new AbortController();
    void import('../edit/yaml-editor.ts').then(({ openEditor }) => {
      if (left.signal.aborted || host.current === null) return;
      const options = {
        label: 'YAML of the object',
        schema,
        onChange: (changed: string) => latest.current(changed),
      };
      const opened = openEditor(host.current, text, options);
      left.signal.addEventListener('abort', () => opened[Symbol.dispose]());
      opened.focus();
      setEditor(opened);
    });
    return () => left.abort();
  }, []);
  useEffect(() => editor?.show(failures), [editor, failures]);
  return <div ref={host} class="editor" />;
}
