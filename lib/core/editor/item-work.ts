/** The work on one item as the store keeps it: the document's text, and whether the person marked it as done. */
export type ItemWork = { readonly document: string; readonly isDone: boolean };

/** No document begins with it: documents are JSON. */
const DONE = 'done\n';

/** One text for document and flag, so that both are stored, compared and sent as one write. */
export const encodeWork = ({ document, isDone }: ItemWork): string => (isDone ? DONE + document : document);

export const decodeWork = (text: string): ItemWork =>
  text.startsWith(DONE)
    ? { document: text.slice(DONE.length), isDone: true }
    : { document: text, isDone: false };
