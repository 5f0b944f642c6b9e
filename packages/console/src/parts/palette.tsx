import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Command, offered } from '../view/commands.ts';

export interface PaletteProps {
  readonly commands: readonly Command[];
  readonly onChosen: (command: Command) => void;
  readonly onClose: () => void;
}

/** Leads to every kind and page by a few letters of its name. */
export function Palette({ commands, onChosen, onClose }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [place, setPlace] = useState(0);
  // Before the next key is handled, which belongs to the field.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const found = offered(commands, text);
  const choose = (command: Command | undefined): void => {
    if (command === undefined) return;
    dialog.current?.close();
    onChosen(command);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (event.key === 'Enter') choose(found[place]);
    else if (step !== 0) setPlace(Math.min(found.length - 1, Math.max(0, place + step)));
    else return;
    event.preventDefault();
  };
  return (
    <dialog ref={dialog} aria-labelledby="palette-title" class="palette" onClose={onClose}>
      <h2 id="palette-title">Go to</h2>
      <input
        type="text"
        role="combobox"
        aria-label="Kind or page"
        aria-expanded={found.length > 0}
        aria-controls="palette-list"
        {...(found.length > 0 && { 'aria-activedescendant': `palette-${place}` })}
        value={text}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setPlace(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette-list" role="listbox" aria-label="Kinds and pages">
        {found.map((command, each) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the field choose it.
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus.
          <div
            key={command.word}
            id={`palette-${each}`}
            role="option"
            aria-selected={each === place}
            onClick={() => choose(command)}
          >
            {command.title}
          </div>
        ))}
      </div>
      {found.length === 0 ? <p role="status">Nothing has this name.</p> : null}
    </dialog>
  );
}
