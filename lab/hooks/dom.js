// Every place on the page that is not ours, by a name that is: what Streamlit, plotly and KaTeX call it, and why we
// reach for it. Scripts say DOM.topBar, sheets `:--top-bar`: dom.py reads this file, and puts selectors into sheets.
//
// tests/browser/test_hooks.py finds each of them on a page, and names those that are gone.
export const DOM = {
  // ---- Streamlit: the frame ---------------------------------------------------------------------------------

  /** All of Streamlit's page: our colours are set there, and its `color-scheme` says whether it is light or dark. */
  app: "[data-testid=stApp]",
  /** A run of the page is under way: a lesson's address is put in place when it is over. */
  running: "[data-test-script-state=running]",
  /** What scrolls, below `app`: on paper it does not. */
  appView: "[data-testid=stAppViewContainer]",
  /** The bar at the top: it is never see-through, and goes where a page is embedded, printed or presented. */
  topBar: "[data-testid=stHeader]",
  /** A section of the menu in the top bar, in the order of the sections: the one that is open is underlined. */
  menuSection: "[data-testid=stTopNav] .rc-overflow-item",
  /** A page in the menu: it says how many of its questions are solved. */
  menuLink: "[data-testid=stTopNavDropdownLink]",
  /** The same on a phone, where the menu is a sidebar. */
  sideLink: "[data-testid=stSidebarNavLink]",
  /** What scrolls a page: "Skip to the figure" ends there at least, and the film of a training stays where it is. */
  main: "[data-testid=stMain]",
  /** The page itself, between its margins: how far it is from the top bar, how wide, and what of it is presented. */
  page: "[data-testid=stMainBlockContainer]",

  /** Stands where something waits for its script: a page is covered until there is none on its first screen. */
  skeleton: "[data-testid=stSkeleton]",

  /** A file that did not arrive, in an uploader: the figure that it was for says so. */
  fileLost: "[data-testid=stFileChip][aria-invalid]",

  // ---- Streamlit: what holds other things ---------------------------------------------------------------------

  /** What has a key bears it as a class: st-key-<key>, as Streamlit documents. Sheets and scripts find ours by it. */
  keyed: "[class*=st-key-]",
  /** Things below each other: how close they stand. */
  stack: "[data-testid=stVerticalBlock]",
  /** Things beside each other: where a lesson leads, what stands beside a control that it names stays. */
  row: "[data-testid=stHorizontalBlock]",
  /** A column: where a lesson leads, one without a picture is hidden. */
  column: "[data-testid=stColumn]",
  /** Around every single thing that a page draws: the unit that lessons hide and a presentation keeps. */
  element: "[data-testid=stElementContainer]",
  /** Around a container or a popover, as `element` is around other things. */
  layout: "[data-testid=stLayoutWrapper]",
  /** A fold: hidden where a lesson leads, and on paper. */
  expander: "[data-testid=stExpander]",

  // ---- Streamlit: words ---------------------------------------------------------------------------------------

  /** A heading with the room around it. */
  heading: "[data-testid=stHeading]",
  /** Markdown as a page draws it: words that are hidden where a lesson tells the story. */
  markdown: "[data-testid=stMarkdown]",
  /** Text from Markdown, in labels too: words of the glossary are looked for there, and code in it is small. */
  prose: "[data-testid=stMarkdownContainer]",
  /** A caption: readable, in the quiet ink. */
  caption: "[data-testid=stCaptionContainer]",
  /** Plain text, of which notices are made: it is set as prose. */
  plainText: "[data-testid=stText]",
  /** Markup of ours: what holds nothing but a script, a style or a marker takes no room. */
  html: "[data-testid=stHtml]",
  /** Program code: in ink, so that colours keep their meaning. */
  code: "[data-testid=stCode]",
  /** A number with its name: hidden where a lesson tells the story. */
  metric: "[data-testid=stMetric]",
  /** A sign of the icon font: it is left out on paper, and quiet beside an answer. */
  icon: "[data-testid=stIconMaterial]",

  // ---- Streamlit: controls ------------------------------------------------------------------------------------

  /** Buttons of which one is chosen. */
  buttonGroup: "[data-testid=stButtonGroup]",
  /** What can be set: a presentation keeps such controls, and hides what is none. */
  slider: "[data-testid=stSlider]",
  selectbox: "[data-testid=stSelectbox]",
  textInput: "[data-testid=stTextInput]",
  textBox: "[data-testid=stTextInputRootElement]",
  textArea: "[data-testid=stTextArea]",
  checkbox: "[data-testid=stCheckbox]",
  button: "[data-testid=stButton]",
  /** The button to press: on ink stands the ground. */
  primary: "[data-testid=stBaseButton-primary]",
  /** The label of a control: close to it, and no place to look for words of the glossary. */
  label: "[data-testid=stWidgetLabel]",
  /** What opens a panel, with its button: it lies over the line of settings. */
  popover: "[data-testid=stPopover]",
  /** That panel, while it is open. */
  popoverBody: "[data-testid=stPopoverBody]",
  /** The button of a menu: left out on paper. */
  menu: "[data-testid=stMenuButton]",
  /** That menu, while it is open: the name of an entry has a line of its own. */
  menuBody: "[data-testid=stMenuButtonBody]",
  /** A link to another page with the room around it: hidden where a lesson leads. */
  pageLink: "[data-testid=stPageLink]",
  /** The link itself: it looks like a door. */
  door: "[data-testid=stPageLink-NavLink]",

  // ---- Streamlit: pictures ------------------------------------------------------------------------------------

  /** A component of ours: a figure, for lessons, presentations and paper. */
  component: ".stBidiComponent",
  /** A figure of plotly's: the same. */
  chart: "[data-testid=stPlotlyChart]",

  // ---- plotly -------------------------------------------------------------------------------------------------

  /** What plotly draws in: a presentation enlarges it. */
  plot: ".js-plotly-plot",
  /** What is as large as the drawing: a presentation fits it to the window. */
  plotFrame: ".svg-container",
  /** Words at the marks of an axis, in a legend, and at a colour bar: in the quiet ink. */
  plotTick: "[class*=tick]",
  plotLegend: ".legendtext",
  plotColourBar: "[class*=cb]",
  /** Words at a point: they keep the colour that the figure gives them. */
  plotWord: ".textpoint",
  /** The grey that Streamlit gives titles of axes by day, and its white by night: the quiet ink takes their place. */
  plotGrey: "[style*='fill: rgb(128, 132, 149)']",
  plotWhite: "[style*='fill: rgb(250, 250, 250)']",
  /** Type too small to read, as where plotly fits it to a cell. */
  plotSmall10: "[style*='font-size: 10']",
  plotSmall11: "[style*='font-size: 11']",
  plotSmall12: "[style*='font-size: 12px']",
  /** The house's sizes, plot.TICK_SIZE and plot.FONT_SIZE: larger on a large screen. */
  plotTickSize: "[style*='font-size: 12.5px']",
  plotFontSize: "[style*='font-size: 13.5px']",
  /** Where plotly measures words to leave them room: there they are as large as in the drawing. */
  ruler: "#js-plotly-tester",

  // ---- KaTeX, and code ----------------------------------------------------------------------------------------

  /** A formula: no place to look for words of the glossary; on a phone it scrolls in its place. */
  formula: ".katex",
  /** One on a line of its own. */
  formulaBlock: ".katex-display",
  /** The colours that teaching.formula gives the terms: in their place come those of the theme, by day and by night. */
  queryTerm: "[style*='rgb(31, 134, 199)']",
  keyTerm: "[style*='rgb(216, 100, 26)']",
  valueTerm: "[style*='rgb(15, 146, 112)']",
  weightTerm: "[style*='rgb(143, 98, 201)']",
  /** Remarks in program code: in the quiet ink. */
  codeRemark: ".comment",
};
