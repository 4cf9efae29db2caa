import { Thumbnail } from '@/app/_ui/thumbnail';

export type Example = { readonly url: string; readonly alt: string; readonly note: string };

type Props = { name: string; definition: string; examples: readonly Example[] };

/** What the option in question means. The panel has its size whatever it says, so that nothing moves. */
export function DefinitionPanel({ name, definition, examples }: Props) {
  return (
    <section
      aria-label="Definition"
      className="flex h-26 shrink-0 gap-3 max-lg:sticky max-lg:bottom-0 overflow-y-auto rounded-lg border border-line bg-surface p-3"
    >
      <div className="min-w-0 flex-1">
        <h3 className="font-semibold">{name}</h3>
        <p className="text-sm text-ink-2">{definition}</p>
      </div>
      {examples.map((example) => (
        <figure key={example.url} className="flex w-24 shrink-0 flex-col gap-1">
          <Thumbnail src={example.url} alt={example.alt} width={96} height={64} className="aspect-3/2" />
          <figcaption className="text-2xs text-ink-3">{example.note}</figcaption>
        </figure>
      ))}
    </section>
  );
}
