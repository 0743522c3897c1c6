/**
 * Function words of each language: articles, pronouns, prepositions, auxiliary verbs. They are written here instead of
 * taken from a package, because the common lists also have words that people search for ("trabajo", "país"), which a
 * query would lose.
 */
export const STOP_WORDS = {
  english: `a about am an and any are as at be been but by can could did do does for from get had has have he her hers
    him his how i if in into is it its just me my of on or our she should so some than that the their them then there
    these they this those to us was we were what when where which who whom whose why will with would you your`,
  german: `aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis bist da damit
    dann das dass dein deine dem den denn der des deshalb dich die dies diese diesem diesen dieser dieses dir doch dort
    du durch ein eine einem einen einer eines er es etwas euch euer für gegen habe haben hast hat hatte hatten hier
    ich ihm ihn ihnen ihr ihre ihrem ihren im in ins ist ja jede jeder jedes jetzt kann kein keine können könnte man
    mehr mein meine meinem meinen mich mir mit muss nach nicht nichts noch nun nur ob oder ohne schon sehr sein seine
    seinem seinen seit sich sie sind so soll über um und uns unser unsere unter viel vom von vor wann war waren warum
    was weil welche welcher welches wem wen wenn wer werden weshalb wie wieder wieviel will wir wird wo woher wohin
    wurde wurden zu zum zur zwischen`,
  spanish: `a al algo algunos ante antes como con contra cuál cuáles cuando cuándo cuánto cuántos de del desde donde
    dónde durante e el él ella ellas ellos en entre era eran eres es esa esas ese eso esos esta está están estaba
    estar estas este esto estos estoy fue fueron ha había han has hasta hay he la las le les lo los más me mi mí mis
    mucho muchos muy nada ni no nos nosotros nuestra nuestro o os otra otro para pero poco por porque pues que qué
    quien quién quiénes se sea ser será si sí sido sin sobre son soy su sus también tan tanto te tiene tienen tengo
    tenía ti todo todos tu tú tus un una unas uno unos usted ustedes va voy y ya yo`,
  french: `a ai aller après au aussi aux avais avait avant avec avez avoir avons c ce cela ces cet cette ceux chez
    comme comment d dans de déjà depuis des dois donc dont du elle elles en encore es est et étaient était été être
    eu fait il ils j je jusqu l la là le les leur leurs lui m ma mais me même mes moi mon n ne ni nos notre nous on
    ont ou où par pas pendant peu peut plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se
    sera ses si son sont sous suis sur t ta te tes toi ton tous tout toute toutes très tu un une va vais vers vos
    votre vous y`,
  italian: `a abbiamo ad ai al alla alle allo anche ancora avere aveva c che chi ci ciò come con cosa così cui d da
    dai dal dalla dalle dei del della delle dello dentro di dopo dove e è ed era erano fa fare fino fra fu gli ha hai
    hanno ho i il in io l la le lei li lo loro lui ma mi mia mie miei mio molto ne negli nei nel nella nelle nello noi
    non nostra nostro o ogni per perché perche più po poi prima qua quale quali quando quanto quanti quella quelle
    quello questa queste questi questo qui sarà se sei si sì sia siamo siete solo sono sopra sta stata stato su sua
    sue sugli sui sul sulla suo suoi te ti tra tu tua tuo tutti tutto un una uno v vi voi`,
  portuguese: `a à ao aos aquela aquele aquilo as às até com como da das de dela dele deles depois do dos e é ela elas
    ele eles em entre era eram essa esse esta está estão estava este eu foi foram há isso isto já lhe mais mas me meu
    meus mesmo minha minhas muito muitos na não nas nem no nos nós nossa nosso num numa o onde os ou para pela pelas
    pelo pelos por porque qual quais quando quanto quantos que quem são se sem ser será seu seus só sobre sua suas
    também te tem têm tenho teve tinha tu tudo um uma umas uns vai você vocês vou`,
  dutch: `aan al alle als altijd ben bent bij daar dan dat de deze die dit doen door dus een en er geen had hadden
    heb hebben heeft hem het hier hij hoe hoeveel hun ik in is ja je jij jou jouw jullie kan kon maar me meer men met
    mij mijn moet na naar niet niets nog nu of om omdat ons onze ook op over te tot u uit uw van veel voor waar
    waarom wanneer waren was wat we wel welk welke werd wie wij wil wordt worden zal ze zei zich zij zijn zo zonder
    zou`,
  swedish: `alla allt att av bara blev bli blir de dem den denna deras dess det detta dig din dina ditt du där då efter
    ej eller en er ett från för ha hade han hans har hennes hon honom hur här i icke in inga ingen inte jag ju kan
    kunde man med mellan men mig min mina mitt mot mycket ni nu när någon något några och om oss på samma sedan sig sin
    sina sitt ska skulle som så till under upp ut utan vad var varför vara vart varit vem vi vid vilka vilken vilket
    vår våra är över`,
  norwegian: `alle at av bare ble bli blir både da de deg dem den denne der deres det dette din ditt du eller en enn er
    et etter for fordi fra før ha hadde han hans har henne hennes her hva hvem hvilken hvilket hvor hvorfor hun i ikke
    ingen inn ja jeg kan kunne man mange med meg mellom men mer min mitt mot må når noe noen nå og også om opp oss over
    på seg selv si sin sitt skal skulle slik som så til um under ut uten var vi vil ville vår være vært`,
  danish: `af alle alt anden at blev blive bliver da de dem den denne der deres det dette dig din dine dit du efter
    eller en end er et for fordi fra før få ham han hans har havde hende hendes her hos hun hvad hvem hvilken hvor
    hvordan hvorfor hvornår i ikke ind jeg jer jo kan kunne man mange med meget men mig min mine mit mod må ned noget
    nogle nu når og også om op os over på selv sig sin sine sit skal skulle som sådan til under ud var vi vil ville
    vor være været`,
  finnish: `ei eivät ehkä eli emme en ennen että hän hänen häntä he heidän itse ja jo joka jos jossa jota jotka joten
    kaikki kanssa kautta ketä koska koskaan kuin kuinka kuka kun kuten me meidän meillä mikä miksi millä milloin mihin
    minkä minua minulla minun minä missä mistä mitä mitään monta mukaan mutta myös ne niiden niin nyt oli olin olivat
    olla olemme olen olet on onko ovat ole ollut pitää se sekä sen sillä siellä sinun sinulla sinä siitä sitten sitä
    tai te teidän tämä tämän tässä tästä tätä vaan vai vain voi`,
  hungarian: `a abban ahogy aki akik akkor alatt által amely ami amikor annak arra arról át az azért azok azon azt aztán
    azzal be bár csak de e egy egyik el én engem és ez ezek ezen ezért ezt fel fog hanem hány hát hogy hogyan hol hova
    ide igen ill ő ők őket itt ki kell kellett keresztül kit le legyen lehet lenne lesz lett maga majd már még meg
    mellett melyik mert mi miatt miért míg mikor milyen mind minden mint mit mivel most nagyon ne neki nekem nélkül nem
    nincs olyan ott össze pedig s sem sok soha szerint szinte talán tehát te ti tovább úgy újra után utána vagy vagyok
    valaki valami van vannak volna volt voltam voltak voltunk vissza`,
  turkish: `acaba ama ancak artık aslında az bana bazı belki ben benden beni benim bir biraz biri birşey biz bizden bize
    bizi bizim bu buna bunda bundan bunu bunun burada çok çünkü da daha de defa değil diye en fakat gibi hangi hem
    hep hepsi her hiç için ile ilgili ise kaç kadar kendi ki kim kimin kime mı mi mu mü nasıl ne neden nerede nereye
    niçin niye o olan olarak oldu olduğu olur on ona onda ondan onlar onların onu onun orada sadece sana sen senden
    seni senin siz sizden size sizi sizin sonra şey şu şunu tüm var vardı ve veya ya yani yok zaten`,
  romanian: `a acea aceasta acest aceste acestea acești acum ai aia aici al ale am aproape ar are as asta astfel atunci
    au avea avem aveți ca că când câți câte care cât ce cel cele cei cine cu cum da dacă dar de deci deja deloc departe
    despre din doar după e ea ei el ele era eram este eu fără fi fie fost în îmi îi îl își încă într la le li
    lor lui mai mea mei mele meu mi mult mă ne nici nimic noastră nostru noi nu o oare ori pe pentru peste până prin
    sa să sale sau se si și sunt spre sub ta tale te toate tot toți tu tău un una unde unei unor unui va vă vom voi
    vor vreo`,
  polish: `a ale ani aż bardzo bez bo był była było były być by ci cię co coś czego czy czym czyli dla dlaczego do gdy
    gdzie gdzieś go i ich ile im inne iż ja jak jaka jaki jakie jako je jego jej jemu jest jestem jeszcze jeśli jeżeli
    już każdy kiedy kim kto którą która które którego której który którzy lub ma mam mamy mi mnie mną moim moja moje
    może mój mu my na nad nam nami nas nasz nasza nasze nawet nią nic nich nie niego niej nim niż o od on ona one oni
    ono oraz po pod podczas ponieważ przed przez przy raz się są sam swoje ta tak także tam te tego tej ten też to
    tobą tobie tu tutaj twoja twój ty tylko tym w we według więc wszystko wtedy wy z za ze że żeby`,
  czech: `a aby aj ale ani asi až bez bude budem budou by byl byla byli bylo být co což cz či dnes do ho i já jak jaká
    jaké jaký je jeho jej její jejich jen ještě ji jí jich jim jsem jsi jsme jsou jste k kam kde kdo kdy když kolik
    která které kterou který kteří ku má mám máme mě mezi mi mít mne mnou moje můj může my na nad nám námi nás náš
    naše ne nebo nebyl není něco nich než nic o od on ona oni ono pak po pod podle pokud pouze pro proč proto protože
    před přes při s se si sice snad svou svůj ta tak také tam tato tě ten tento ti to tobě toho tom tomu tu tuto tvůj
    ty tyto u už v vám vás váš ve všechno vy z za zda ze že`,
  indonesian: `ada adalah agar akan aku anda apa apakah atau bagaimana bagi bahwa banyak belum berapa bisa bukan dalam
    dan dapat dari dengan di dia hanya harus ia ini itu jika juga kalau kami kamu kapan karena ke kepada kita lagi
    lebih mana masih mengapa mereka oleh pada para pernah saat saja sangat saya sebuah sedang sekarang seperti siapa
    sudah supaya tapi telah tentang tetapi tidak untuk yang`,
  russian: `а без более бы был была были было быть в вам вас весь во вот все всё всего всех всю вы где да даже для до
    его ее её ей ему если есть еще ещё ж же за зачем здесь и из или им их к как какая какие какой каком когда кого
    которая которого которые который которых кто куда ли либо мне много может мой моя моё мои моего моей мы на над
    надо нам нами нас наш не него нее неё ней нет нибудь ни них но ну о об однако он она они оно от по под после
    потому почему при про раз с сам свой себе себя сейчас сколько со так также такой там те тебе тебя тем теперь то
    тобой тогда того тоже той только том тот ты у уже хотя чего чей чем через что чтоб чтобы чьё эта эти это этого
    этой этом этот эту я`,
  ukrainian: `а або але б без був була були було бути в вам вас ваш все всі всіх ви від він вона вони воно де для до
    є ж же за звідки з зі і із інших й його її їй їм їх коли кого котрий крім куди ледве лише мене мені ми мій моя моє
    мої на над навіть нам нас наш не неї ним них ні ніж о об один от по після перед при про проте під с себе сам свій
    собі та так такий там те тебе тепер ти тим то тобі тобто того той тому тоді тут у хоча хто це цей цього ці цієї
    цьому чи чим чого чому ще що щоб щось я як яка яке який які якого якій якщо`,
  greek: `αλλα αν απο αυτα αυτες αυτη αυτο αυτοι αυτος αυτου αυτων για δε δεν εαν ειμαι ειναι ειχα ειχε εκει εκεινος
    εμεις εμενα εσυ εγω ενα ενας εχει εχω η ηταν θα ι και καθε κατα κι μα με μετα μη μην μια μου μας να ο οι ομως
    οποια οποιο οποιος οπου οπως οτι ποια ποιο ποιος ποσο ποσα ποτε που πως προς πολυ σας σε στα στη στην στις στο στον
    στους σου τα της τι τις το τον του τους των τη την ως`,
  hindi: `और अपना अपनी अपने अब आप इन इस इसका इसकी इसके इसे उन उनका उनकी उनके उन्हें उस उसका उसकी उसके उसे एक ऐसा ऐसे ओर
    कई कब कर करता करते करना करने कहा कहाँ कहां का काफी कि कितना कितने किया किस किसका किसी की कुछ के को कोई कौन कौनसा क्या
    क्यों गए गया गयी जब जहाँ जा जाता जैसा जैसे जो तक तब तरह तो था थी थे दिया दो द्वारा न नहीं ने पर फिर बहुत भी मुझे मेरा
    मेरी मेरे मैं में मैंने यदि यह यहाँ या ये रहा रही रहे लिए लेकिन व वह वहाँ वे वो सब साथ से हम हमारा हमारी हमारे ही हुआ हुई हुए हूँ है
    हैं हो होता होती होते होना`,
  arabic: `إذا إذ إلا إلى الذي الذين التي أما أن أنا أنت أنتم أنه أنها أو أي أين إن إنه إنها بأن بعد بعض بل بين ثم
    حتى حيث حين ذلك تلك عن عند على عليه عليها غير في فيه فيها قد قبل كان كانت كل كم كما كيف لا لأن لقد لكن لم لما لماذا
    لن له لها لهم لو ليس ليست ما ماذا متى مع من منذ منه منها نحن هذا هذه هل هم هناك هنا هو هي و ولا وما وهو وهي يا`,
  persian: `از است اند این آن آنها آنچه اگر اما با باید بر برای بود بودند به بی پس تا تو چرا چند چه چون چیست خود در
    را شد شده شما ما من می ها هم همه همین هر هست هستند هیچ و ولی کجا که کدام کرد کرده کی کنم کند نه نیست یا یک`,
  hebrew: `אבל או אותה אותו אותי אותם אז אחרי איך אין איפה אל אלה אם אנחנו אני את אתה אתם בגלל בין גם הוא היא היה היו
    הייתה הם הן הזה הזאת זאת זה זו יש כבר כי כל כמה כמו כן לא לאן לה להם לו לי לך לנו למה לפני מאוד מה מי מתי ממני עד
    עוד על עם רק של שלה שלהם שלו שלי שלך שלנו שם`,
  chinese: `的 了 是 我 你 您 他 她 它 我们 你们 他们 她们 我的 你的 他的 她的 它的 我们的 这 那 这个 那个 这些 那些 这里
    那里 这样 那样 这位 那位 这次 那次 什么 谁 哪 哪个 哪些 哪里 哪儿 哪位 怎么 怎样 怎么样 如何 为什么 多少 几 在 有
    没有 和 与 跟 及 或 而 但 但是 就 都 也 还 又 再 很 太 更 最 被 把 给 对 对于 关于 从 到 向 于 以 为 因为 所以 如果
    会 能 可以 要 想 请 请问 吗 呢 吧 啊 呀 嘛 哦 地 得 着 过 之 其 上 里 中 个 一个 一下 不 没 说 让 告诉 知道 记得 时候
    是什么 是谁 是不是 有没有`,
  japanese: `あの あれ い いつ いる う うち え お おり か かった から が き く くれ ここ こと この これ ご さ さん し した
    して しま する ず せ そう そこ その それ た ため たり たら だ だっ だった だれ つ て で でき です でした では でも と
    という とき どう どこ どの どれ な ない なかっ なぜ など なに なら なり なる なん なんて に ね の ので のに は ば ほど へ
    ます まし ました ません まで み も もう もの や やっ よ よう ょ より ら り る れ わ わたし を ん んで 何 何が 何を 誰 私
    私の 僕 あなた 彼 彼女`,
  korean: `그 그것 그리고 그런데 나 나는 나의 내 내가 너 너는 누가 누구 누구의 는 를 을 이 가 은 의 에 에서 도 로 으로 와 과
    만 우리 우리는 이것 이런 저 저는 저의 제 제가 것 수 때 등 및 또는 하지만 그러나 그래서 어디 어디서 어디에 언제 무엇
    무엇을 뭐 뭘 뭐야 무슨 왜 어떻게 어떤 어느 몇 얼마 얼마나 있다 있어 있어요 있나요 있었나요 있습니다 입니다 인가요
    이야 였다 했나요 했어 했지 한 할 하는 하고 해 돼 된 좀 더 다 잘`,
} as const;

export type Language = keyof typeof STOP_WORDS;
