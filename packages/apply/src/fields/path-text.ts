import { scalarText } from '../values/scalar.ts';
import { type Element, elementValue, type FieldPath, keyPairs } from './element.ts';

function elementText(element: Element): string {
  const rest = element.slice(2);
  switch (element.charAt(0)) {
    case 'k': {
      const pairs = keyPairs(element) ?? [];
      return `[${pairs.map(([name, value]) => `${name}=${scalarText(value)}`).join(',')}]`;
    }
    case 'v':
      return `[=${scalarText(elementValue(element) ?? null)}]`;
    case 'i':
      return `[${rest}]`;
    default:
      return `.${rest}`;
  }
}

/** A path as clients print it: `.spec.template.spec.containers[name="nginx"].image`, `.metadata.finalizers[="x"]`. */
export const pathText = (path: FieldPath): string => path.map(elementText).join('');
