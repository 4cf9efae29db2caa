const painted = ['fill', 'stroke', 'color', 'stop-color'];

/** A copy of a drawing that needs no style sheet: theme colours are written out as they are now. */
export function standaloneSvg(svg: SVGSVGElement, title: string): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = [svg, ...svg.querySelectorAll('*')];
  const copies = [copy, ...copy.querySelectorAll('*')];
  originals.forEach((original, index) => {
    const computed = getComputedStyle(original);
    const target = copies[index];
    for (const name of painted) {
      if (target?.getAttribute(name)?.includes('var('))
        target.setAttribute(name, computed.getPropertyValue(name));
    }
    target?.removeAttribute('class');
  });
  const heading = document.createElementNS('http://www.w3.org/2000/svg', 'title');
  heading.textContent = title;
  copy.prepend(heading);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return new XMLSerializer().serializeToString(copy);
}
