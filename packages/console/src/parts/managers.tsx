import type { ApiObject } from '@orch/machinery';
import { useState } from 'preact/hooks';
import { managersOf } from '../object/facts.ts';
import { Ago } from './object-parts.tsx';
import { FieldWhy, type ObjectWhyProps } from './object-why.tsx';

export interface ManagersProps extends ObjectWhyProps {
  readonly object: ApiObject;
  readonly nowMs: number;
}

/** The managers and the fields that they own; each field can be explained. */
export function Managers({ object, nowMs, ...props }: ManagersProps) {
  const managers = managersOf(object);
  if (managers.length === 0) return null;
  return (
    <section aria-labelledby="managers-title">
      <h2 id="managers-title">Managers of fields</h2>
      {managers.map(({ name, operation, subresource, timeMs, fields }) => (
        <details key={`${name} ${operation} ${subresource}`}>
          <summary>
            {`${name} (${operation}${subresource === '' ? '' : ` of ${subresource}`}): ${fields.length} field${fields.length === 1 ? '' : 's'}, `}
            <Ago ms={timeMs} nowMs={nowMs} /> ago
          </summary>
          <ul class="fields">
            {fields.map((field) => (
              <Field key={field} {...props} field={field} />
            ))}
          </ul>
        </details>
      ))}
    </section>
  );
}

function Field({ field, ...props }: ObjectWhyProps & { readonly field: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <button type="button" class="plain" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {field}
      </button>
      {isOpen ? <FieldWhy {...props} field={field} /> : null}
    </li>
  );
}
