export { type Axis, type AxisOptions, linearAxis, type Tick } from './axis';
export { type Bin, binValues } from './bins';
export { domainOf } from './domain';
export { labelSpace, shorten, textWidth } from './labels';
export { type Hatch, maximumSeries, type SeriesStyle, seriesStyle } from './series';
