'use client';

import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/app/_ui/button';
import { cn } from '@/app/_ui/cn';
import { OutlinedPicture } from '@/app/_ui/outlined-picture';
import type { Layer } from './layers';

type Props = { url: string; alt: string; width: number; height: number; layers: Layer[] };

/** The picture with its masks drawn over it; each can be hidden to see what lies beneath. */
export function LabelledPicture({ url, alt, width, height, layers }: Props) {
  const answers = layers.filter((layer) => layer.kind === 'answer');
  const labels = layers.filter((layer) => layer.kind === 'label');
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set(answers.map((layer) => layer.id)));
  const toggle = (id: string) => {
    const next = new Set(hidden);
    if (!next.delete(id)) next.add(id);
    setHidden(next);
  };
  const setAll = (group: Layer[], isShown: boolean) => {
    const next = new Set(hidden);
    for (const { id } of group) isShown ? next.delete(id) : next.add(id);
    setHidden(next);
  };
  return (
    <figure className="flex min-w-0 flex-col gap-3">
      <div className="flex justify-center rounded-lg bg-stage p-2">
        <OutlinedPicture
          url={url}
          alt={alt}
          width={width}
          height={height}
          outlines={layers.filter((layer) => !hidden.has(layer.id))}
          className="block max-h-[70dvh] w-full"
        />
      </div>
      <figcaption className="flex flex-col gap-2">
        {[
          { title: 'Labels', group: labels },
          { title: 'Answers', group: answers },
        ].map(({ title, group }) => (
          <Toggles key={title} title={title} group={group} hidden={hidden} toggle={toggle} setAll={setAll} />
        ))}
      </figcaption>
    </figure>
  );
}

type TogglesProps = {
  title: string;
  group: Layer[];
  hidden: ReadonlySet<string>;
  toggle: (id: string) => void;
  setAll: (group: Layer[], isShown: boolean) => void;
};

function Toggles({ title, group, hidden, toggle, setAll }: TogglesProps) {
  if (group.length === 0) return null;
  const anyShown = group.some((layer) => !hidden.has(layer.id));
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <span className="w-16 text-xs font-medium text-ink-2">{title}</span>
      {group.map((layer) => {
        const shown = !hidden.has(layer.id);
        const Icon = shown ? Eye : EyeOff;
        return (
          <button
            key={layer.id}
            type="button"
            aria-pressed={shown}
            onClick={() => toggle(layer.id)}
            className={cn(
              'flex h-7 items-center gap-1.5 rounded-md border border-line bg-raised px-2 hover:bg-hover',
              !shown && 'text-ink-3',
            )}
          >
            <span
              aria-hidden
              className="size-2.5 rounded-sm"
              style={{
                background: shown ? layer.colour : 'transparent',
                outline: `1px solid ${layer.colour}`,
              }}
            />
            {layer.name}
            <Icon aria-hidden className="size-3.5 text-ink-3" />
          </button>
        );
      })}
      {group.length > 1 && (
        <Button size="small" variant="quiet" onClick={() => setAll(group, !anyShown)}>
          {anyShown ? 'Hide all' : 'Show all'}
        </Button>
      )}
    </div>
  );
}
