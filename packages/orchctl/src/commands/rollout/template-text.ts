import type { Names } from '@orch/machinery';
import { describePodTemplate } from '../describe/pods/pod-template.ts';
import { Description } from '../describe/text/description.ts';
import type { Template } from './revision-history.ts';

/** The description of a template, with tabs between columns. */
export function templateText(template: Template, names: Names): string {
  const out = new Description();
  describePodTemplate(out, template, names);
  return out.tabbed();
}
