import { Section } from '@/app/_ui/panel';

const groups = {
  Surfaces: ['canvas', 'surface', 'raised', 'sunken', 'hover', 'stage'],
  Lines: ['line', 'line-strong'],
  Ink: ['ink', 'ink-2', 'ink-3'],
  Accent: ['accent', 'accent-fill', 'accent-soft'],
  States: ['good', 'good-soft', 'warn', 'warn-soft', 'bad', 'bad-soft', 'bad-fill'],
  Series: ['series-1', 'series-2', 'series-3', 'series-4', 'series-5', 'series-6'],
};

const sizes = ['text-2xs', 'text-xs', 'text-sm', 'text-base', 'text-lg', 'text-xl', 'text-2xl'];

export function Colours() {
  return (
    <Section title="Tokens">
      <div className="grid gap-4">
        {Object.entries(groups).map(([title, names]) => (
          <div key={title} className="grid grid-cols-[6rem_1fr] items-start gap-4">
            <h3 className="pt-2 text-xs text-ink-3">{title}</h3>
            <div className="flex flex-wrap gap-3">
              {names.map((name) => (
                <div key={name} className="w-24">
                  <div
                    className="h-8 rounded-md border border-line"
                    style={{ background: `var(--color-${name})` }}
                  />
                  <p className="mt-1 text-2xs text-ink-3">{name}</p>
                </div>
              ))}
            </div>
          </div>
        ))}
        <div className="flex flex-wrap items-baseline gap-4">
          {sizes.map((size) => (
            <span key={size} className={size}>
              {size.slice(5)} 0123456789
            </span>
          ))}
        </div>
      </div>
    </Section>
  );
}
