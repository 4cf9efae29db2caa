import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Markdown } from '@/app/_ui/markdown';

const sign = (sha256: string) => `/api/blobs/${sha256}?signature=right`;
const render = (source: string) => renderToStaticMarkup(<Markdown source={source} picture={sign} />);
const picture = `/api/blobs/${'a'.repeat(64)}`;

describe('Markdown', () => {
  it('knows headings, lists, emphasis, code and quotes', () => {
    const html = render(
      '# Wings\nMark **every** *pixel* of `it`.\n\n1. one\n2. two\n   more\n\n- a\n- b\n\n> less',
    );
    expect(html).toMatch(/<h2[^>]*>Wings<\/h2>/);
    expect(html).toMatch(/<strong[^>]*>every<\/strong> <em>pixel<\/em> of <code[^>]*>it<\/code>/);
    expect(html).toMatch(/<ol[^>]*><li>one<\/li><li>two more<\/li><\/ol>/);
    expect(html).toMatch(/<ul[^>]*><li>a<\/li><li>b<\/li><\/ul>/);
    expect(html).toMatch(/<blockquote[^>]*>less<\/blockquote>/);
  });

  it('leaves underscores inside names alone', () => {
    expect(render('the file_name_of it')).toContain('file_name_of');
  });

  it('links to the web in a new window without telling where from', () => {
    expect(render('[guide](https://example.org/a?b=1)')).toMatch(
      /<a href="https:\/\/example.org\/a\?b=1" rel="noopener noreferrer nofollow" target="_blank"/,
    );
  });

  it('shows pictures of this installation only', () => {
    expect(render(`![wing](${picture})`)).toContain(`<img src="${picture}?signature=right" alt="wing"`);
    expect(render(`![wing](${picture}?signature=old)`)).toContain(`<img src="${picture}?signature=right"`);
    expect(renderToStaticMarkup(<Markdown source={`![wing](${picture})`} />)).not.toContain('<img');
    for (const elsewhere of [
      'https://evil.example/x.png',
      '//evil.example/x',
      `${picture}/../../users`,
      'data:image/png,x',
    ]) {
      expect(render(`![wing](${elsewhere})`)).not.toContain('<img');
    }
  });

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x](https:/\\evil" onmouseover="alert(1))',
    '[x](https://a"onclick=alert(1)//)',
    '![x](javascript:alert(1))',
    '**<svg onload=alert(1)>**',
    '# <iframe src=//evil>',
    '```\n</pre><script>alert(1)</script>\n```',
    '`<b onclick=1>`',
  ])('makes nothing dangerous of %s', (source) => {
    const html = render(source);
    expect(html).not.toMatch(/<(script|img|svg|iframe|b)[\s>]/);
    expect(html).not.toMatch(/(href|src)="(?!https:\/\/)/);
    expect(html).not.toMatch(/<[^>]*\son\w+=/);
  });

  it('never lets a character of the text become an element of its own', () => {
    const allowed = /^<\/?(div|p|h[2-6]|ul|ol|li|strong|em|code|pre|blockquote|a|img)(\s|>|\/)/;
    const hostile = fc.array(
      fc.constantFrom(
        '<',
        '>',
        '"',
        "'",
        '&',
        '*',
        '_',
        '`',
        '[',
        ']',
        '(',
        ')',
        '!',
        '#',
        '\n',
        ' ',
        'a',
        'https://x',
        'javascript:',
      ),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(hostile, (parts) => {
        for (const [tag] of render(parts.join('')).matchAll(/<[^>]*>/g)) expect(tag).toMatch(allowed);
      }),
    );
  });

  it('answers for a long hostile text as for any other', () => {
    for (const part of ['[', '*', '_', '`', '![](', '**a', '> ', '- ']) {
      expect(render(part.repeat(20_000)).length).toBeGreaterThan(0);
    }
  });
});
