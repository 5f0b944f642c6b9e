import { useEffect, useRef, useState } from 'preact/hooks';
import { type ObjectPlace, readYaml } from '../api/objects.ts';
import { readFields } from '../api/open-api.ts';
import type { PageSession } from '../api/session.ts';
import type { ReadSchema } from '../edit/schema-hints.ts';
import { check, fieldFailures, isConflict, save } from '../edit/write-object.ts';
import type { EditorOptions, YamlEditor } from '../edit/yaml-editor.ts';
import { Difference } from './difference.tsx';
import { Failure } from './notice.tsx';
import { useStop } from './use-stop.ts';

export interface ObjectEditorProps {
  readonly session: PageSession;
  readonly place: ObjectPlace;
  /** The object as it was when the user began. */
  readonly original: string;
  /** The text that the editor shows at first; the object when absent. */
  readonly text?: string;
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
  const { place, original, onDone } = props;
  const { connection } = props.session;
  const [verdict, setVerdict] = useState<Verdict>({ kind: 'none' });
  const [base, setBase] = useState(original);
  // Only the text that was checked can be saved.
  const onChange = () => setVerdict((earlier) => (earlier.kind === 'checked' ? { kind: 'none' } : earlier));
  const schema = useSchema(connection, place.resource);
  const text = base === original ? (props.text ?? base) : base;
  const [host, editor] = useEditor(text, { onChange, schema });
  const stop = useStop();
  const send = async (write: typeof check, yaml: string): Promise<string | undefined> => {
    setVerdict({ kind: 'waiting' });
    try {
      return await write(connection, { place, yaml }, stop);
    } catch (problem) {
      if (stop.aborted) return undefined;
      editor.current?.show(fieldFailures(problem));
      const present = isConflict(problem) ? await readYaml(connection, place, stop).catch(() => '') : '';
      setVerdict(present === '' ? { kind: 'refused', problem } : { kind: 'conflict', present, own: yaml });
      return undefined;
    }
  };
  const onCheck = async (): Promise<void> => {
    const yaml = editor.current?.text ?? base;
    const result = await send(check, yaml);
    if (result === undefined) return;
    editor.current?.show([]);
    setVerdict(editor.current?.text === yaml ? { kind: 'checked', yaml, result } : { kind: 'none' });
  };
  const onSave = async (): Promise<void> => {
    if (verdict.kind === 'checked' && (await send(save, verdict.yaml)) !== undefined) onDone();
  };
  const onAgain = (present: string): void => {
    setBase(present);
    setVerdict({ kind: 'none' });
  };
  return (
    <>
      <div ref={host} class="editor" />
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

/** Reads the schema of a kind when the editor needs it first. Without one it offers no help. */
function useSchema(connection: PageSession['connection'], resource: ObjectPlace['resource']): ReadSchema {
  const stop = useStop();
  const schema = useRef<ReturnType<ReadSchema>>(undefined);
  return () => {
    schema.current ??= readFields(connection, resource, stop).catch(() => {
      // The next question tries again.
      schema.current = undefined;
      return undefined;
    });
    return schema.current;
  };
}

/** An editor with a text, loaded when it is needed first. */
function useEditor(text: string, options: Omit<EditorOptions, 'label'>) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<YamlEditor | undefined>(undefined);
  useEffect(() => {
    let isLeft = false;
    void import('../edit/yaml-editor.ts').then(({ openEditor }) => {
      if (isLeft || host.current === null) return;
      editor.current = openEditor(host.current, text, { label: 'YAML of the object', ...options });
      editor.current.focus();
    });
    return () => {
      isLeft = true;
      editor.current?.[Symbol.dispose]();
      editor.current = undefined;
    };
  }, [text]);
  return [host, editor] as const;
}
