/** The text of a base64 value, such as an entry of `data` of a Secret; empty when the value is absent. */
export const decoded = (value: string | undefined): string => Buffer.from(value ?? '', 'base64').toString();

/** Base64 of the UTF-8 bytes of a string. */
export const encoded = (text: string): string => Buffer.from(text).toString('base64');
