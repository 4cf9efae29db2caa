'use client';
import { useState } from 'react';
import { AttributeForm } from '../annotate/_attributes/attribute-form';
export function Preview({ schema, image, examples }: any) {
  const [value, setValue] = useState({});
  const [show, setShow] = useState(false);
  const [n, setN] = useState(0);
  return <div className="flex lg:h-dvh flex-col gap-2 p-4 text-base"><div className="h-8 shrink-0"><button type="button" id="submit" onClick={() => setShow(true)}>Submit</button> <span id="n">{n}</span> <code id="value">{JSON.stringify(value)}</code></div>
  <div className="min-h-0 flex-1"><AttributeForm schema={schema} className={image.className} imageUrl={image.url} imageWidth={image.width} imageHeight={image.height} imageAlt="A bird" value={value} onChange={setValue} showProblems={show} onSubmit={() => { setShow(true); setN(n + 1); }} examples={examples} /></div></div>;
}
