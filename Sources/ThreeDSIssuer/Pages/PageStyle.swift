/// The one style sheet, for windows from 250 pixels, in light and dark.
let pageStyle: StaticString = """
    :root{
        color-scheme:light dark;
        --text:#1a1a1a;--back:#fff;--soft:#555;--main:#0b57d0;--on:#fff
    }
    @media(prefers-color-scheme:dark){
        :root{--text:#eee;--back:#161616;--soft:#b8b8b8;--main:#8ab4f8;--on:#10131a}
    }
    *{box-sizing:border-box}
    body{
        margin:0;background:var(--back);color:var(--text);
        font:1rem/1.4 system-ui,sans-serif;overflow-wrap:anywhere
    }
    main{max-width:30rem;margin:auto;padding:1rem}
    .logos{display:flex;justify-content:space-between;gap:1rem}
    img{max-width:45%;max-height:2.5rem}
    h1{margin:0 0 .5rem;font-size:1.3rem;line-height:1.2}
    p,dl,form{margin:0 0 .75rem}
    dl{display:grid;grid-template-columns:fit-content(40%) 1fr;gap:.25rem 1rem}
    dt{color:var(--soft)}
    dd{margin:0}
    .number{
        font:700 clamp(1.25rem,12vw,2.5rem)/1.2 monospace;
        letter-spacing:.05em;white-space:nowrap
    }
    a,button{
        display:block;width:100%;min-height:2.75rem;margin:0 0 .75rem;padding:.6rem 1rem;
        border:1px solid var(--main);border-radius:.5rem;background:none;color:var(--main);
        font:inherit;text-align:center;text-decoration:none;overflow-wrap:anywhere;cursor:pointer
    }
    .primary{background:var(--main);color:var(--on)}
    :focus-visible{outline:3px solid var(--main);outline-offset:2px}
    @media(max-width:20rem){
        dl{display:block}
        dd{margin-bottom:.4rem}
    }
    """
