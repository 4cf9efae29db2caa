import { Markdown } from '@/app/_ui/markdown';
import { Panel, Section } from '@/app/_ui/panel';
import { Thumbnail } from '@/app/_ui/thumbnail';

const instructions = `# Wings
Mark **every pixel** of the wings, also *folded* ones. See [the guide](https://example.org/guide).

1. Zoom until the edge is clear.
2. Draw the outline with \`P\`.
   Feathers belong to the wing.

- not the shadow
- not the reflection

> When in doubt, mark less.

<script>alert("text, not markup")</script>`;

const scene = (hue: number) =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 120"><rect width="160" height="120" fill="hsl(${hue} 50% 82%)"/><rect y="80" width="160" height="40" fill="hsl(${hue + 60} 35% 55%)"/><ellipse cx="80" cy="68" rx="34" ry="20" fill="hsl(${hue + 180} 55% 45%)"/></svg>`,
  )}`;

export function Pictures() {
  return (
    <Section title="Pictures and text">
      <div className="grid gap-4 lg:grid-cols-2">
        <Panel title="Thumbnails" description="On a neutral ground, whole">
          <div className="grid grid-cols-4 gap-2">
            {[20, 90, 160, 210, 260, 320].map((hue) => (
              <Thumbnail
                key={hue}
                src={scene(hue)}
                alt={`Scene ${hue}`}
                width={160}
                height={120}
                cover={hue === 320}
              />
            ))}
            <Thumbnail alt="Scene" width={160} height={120} />
          </div>
        </Panel>
        <Panel title="Markdown">
          <Markdown source={instructions} topLevel={3} />
        </Panel>
      </div>
    </Section>
  );
}
