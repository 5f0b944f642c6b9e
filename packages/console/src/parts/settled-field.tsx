import { useLayoutEffect, useRef } from 'preact/hooks';

export interface SettledFieldProps {
  readonly name: string;
  readonly value: string;
  readonly hint: string;
  readonly list?: string;
  readonly onSettled: (value: string) => void;
}

/** A field whose value counts when the user has finished it: each causes a request. */
export function SettledField({ name, value, hint, list, onSettled }: SettledFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  // The same field stays, and with it the focus of those who settle it by Enter.
  useLayoutEffect(() => {
    if (field.current !== null) field.current.value = value;
  }, [value]);
  return (
    <label>
      <span>{name}</span>
      <input
        ref={field}
        type="text"
        name={name.toLowerCase()}
        defaultValue={value}
        placeholder={hint}
        autocomplete="off"
        spellcheck={false}
        {...(list !== undefined && { list })}
        onChange={(event) =>
          event.currentTarget.value !== value && onSettled(event.currentTarget.value.trim())
        }
      />
    </label>
  );
}
